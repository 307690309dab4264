package dev.grapevine.runtime;

import dev.grapevine.aggregation.Update;
import dev.grapevine.learning.Learner;
import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.Message;
import dev.grapevine.message.Payload;
import dev.grapevine.random.RandomStreams;
import dev.grapevine.state.State;
import dev.grapevine.topology.Neighbourhood;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * How a node that comes back with nothing gets the model of a neighbour. It asks one after the
 * other; who is asked answers at the end of its round, when its model is whole. The messages are
 * like all others: they take time, count as traffic and can be lost.
 */
final class Acquaintance {

  private static final int ASK = 254;
  private static final int ANSWER = 255;

  private final Plan plan;
  private final Host host;
  private final Account account;
  private final Post post;
  private final List<Integer> waiting = new ArrayList<>(0);
  private @Nullable Learner learner;
  private @Nullable Message answer;

  Acquaintance(Plan plan, Host host, Account account, Post post) {
    this.plan = plan;
    this.host = host;
    this.account = account;
    this.post = post;
  }

  /** Listens from now on, where nodes may ask. */
  void answerWhoAsks(Learner learner) {
    this.learner = learner;
    waiting.clear();
    if (host.lives().isUsed() && host.lives().mayAskNeighbours()) {
      host.onMessage(ASK, message -> post.handle(message, this::asked));
    }
  }

  private void asked(Message question) throws InterruptedException {
    waiting.add(question.sender());
    if (host.isAtRest()) {
      answerAll();
    }
  }

  /** Answers those who have asked, with the model as it is. */
  void answerAll() throws InterruptedException {
    Learner asked = learner;
    if (waiting.isEmpty() || asked == null) {
      return;
    }
    Payload model = Update.payload(asked.parameters());
    for (int peer : waiting) {
      post.send(peer, new Message(host.id(), ANSWER, account.round(), model));
    }
    waiting.clear();
  }

  /** Asks until one has answered or all were asked; then the model stays as it began. */
  void ask(Learner learner, State state) throws InterruptedException {
    host.onMessage(ANSWER, message -> answer = message);
    for (int peer : neighbours()) {
      answer = null;
      post.send(peer, new Message(host.id(), ASK, account.round(), Payload.empty()));
      long begin = host.now();
      long until = Host.saturatedAdd(begin, plan.policy().deadline().toNanos());
      host.await(() -> answer != null || host.isGone(peer, Integer.MAX_VALUE), until);
      account.waitedSince(begin);
      if (answer != null && take(answer, learner.parameters())) {
        return;
      }
    }
  }

  private boolean take(Message message, float[] model) {
    try {
      Update.ofBytes(message.payload(), model.length)
          .requireFinite()
          .read(0, model.length, model, model);
      return true;
    } catch (MalformedPayloadException malformed) {
      post.reject(message.sender(), malformed);
      return false;
    }
  }

  /** Servers first, since they have the model; then neighbours, in an order of chance. */
  private List<Integer> neighbours() {
    int learners = plan.topology().nodes();
    TreeSet<Integer> all = new TreeSet<>();
    if (host.id() < learners) {
      Neighbourhood place = plan.topology().neighbours(host.id(), account.round());
      for (int peer : place.hearsFrom()) {
        all.add(peer);
      }
      for (int peer : place.sendsTo()) {
        all.add(peer);
      }
    }
    List<Integer> order = new ArrayList<>();
    for (int server = learners; server < plan.nodes(); server++) {
      order.add(server);
    }
    List<Integer> neighbours = new ArrayList<>(all);
    Collections.shuffle(
        neighbours,
        RandomStreams.of(plan.seed(), host.id(), "neighbour " + host.lives().returns(host.id())));
    order.addAll(neighbours);
    order.removeIf(peer -> host.isGone(peer, Integer.MAX_VALUE));
    return order;
  }
}
