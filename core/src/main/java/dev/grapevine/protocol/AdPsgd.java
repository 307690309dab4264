package dev.grapevine.protocol;

import dev.grapevine.aggregation.Aggregator;
import dev.grapevine.exchange.Exchange;
import dev.grapevine.exchange.Received;
import dev.grapevine.learning.Learner;
import dev.grapevine.message.Message;
import dev.grapevine.message.Payload;
import dev.grapevine.node.Node;
import dev.grapevine.settings.Kind;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.topology.Neighbourhood;
import dev.grapevine.topology.Topology;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Optional;

/**
 * Asynchronous decentralized parallel SGD: each node trains at its own pace; after each local
 * training it averages its model half and half with that of one random neighbour, which answers
 * even while it trains itself. What training did to the model it began with, x̂_i, is applied to
 * the present one, which others may have moved meanwhile, and then the two average:
 *
 * <pre>  x_i ← x_i − γ g(x̂_i);   (x_i, x_j) ← ((x_i + x_j)/2, (x_i + x_j)/2).</pre>
 *
 * <p>The paper averages first and applies the gradient then, X W − γ ∂g; this order, which programs
 * for it use too, sends the other side the fresh model.
 *
 * <p>A node that has asked and is asked in the meantime answers with the model it has, so no cycle
 * of nodes can wait for each other and the graph need not be bipartite as in the paper. The side
 * that is asked moves half-way and tells the other how far to move: whatever crosses on the way,
 * the two moves cancel and the sum over all nodes stays what it was. Each node keeps two more
 * vectors.
 */
@Kind(
    name = "ad-psgd",
    summary = "asynchronous D-PSGD: average with one random neighbour, wait for nobody else",
    paper = "Lian, Zhang, Zhang, Liu: Asynchronous Decentralized Parallel SGD, 2018")
public final class AdPsgd implements Protocol {

  private static final int ASK = 1;
  private static final int ANSWER = 2;
  private static final int DONE = 3;

  @Override
  public Optional<String> objection(Encoding encoding, Aggregator rule, Topology topology) {
    return Objections.whole(encoding, "both sides of a meeting move by all coordinates");
  }

  @Override
  public void run(Node self) throws InterruptedException {
    Pair pair = new Pair(self);
    self.onMessage(
        ASK,
        ask -> {
          if (pair.isNew(ask)) {
            self.send(ask.sender(), ANSWER, ask.round(), pair.meet(ask));
          }
        });
    self.onMessage(ANSWER, pair::answer);
    Barrier end = new Barrier(self, DONE);
    for (int round = self.firstRound(); round < self.rounds(); round++) {
      self.train(pair::train);
      pair.applyTraining();
      int[] peers =
          Arrays.stream(self.neighbours(round).sendsTo())
              .filter(peer -> !pair.silent.get(peer) && !self.isGone(peer))
              .toArray();
      if (peers.length > 0) {
        exchange(self, pair, peers[self.random().nextInt(peers.length)], round);
      }
      pair.show();
      self.evaluate(round);
    }
    end.pass();
    pair.show();
  }

  private static void exchange(Node self, Pair pair, int peer, int round)
      throws InterruptedException {
    Neighbourhood to = Neighbourhood.sendingTo(self.id(), peer);
    pair.unanswered.set(round);
    self.send(peer, ASK, round, pair.models.encode(round, to).to(peer));
    pair.asked = peer;
    boolean answered =
        self.await(() -> pair.asked < 0 || self.isGone(peer), self.patience()) && pair.asked < 0;
    if (!answered) {
      pair.silent.set(peer);
    }
  }

  /**
   * The model that is averaged, beside the learner's copy that is trained. All but {@link #train}
   * runs on the node's own thread.
   */
  private static final class Pair {

    private final int id;
    private final Learner learner;
    private final float[] model;
    private final float[] start;
    private final float[] move;
    private final Exchange models;
    private final Exchange moves;
    private int asked = -1;

    /**
     * The rounds in which the node has asked and no answer has come; one that comes twice moves
     * once.
     */
    private final BitSet unanswered = new BitSet();

    /** Of each peer, the first round in which it has not asked yet. */
    private final long[] askedUpTo;

    /** Peers that did not answer and have not been heard since; nobody waits for them again. */
    private final BitSet silent = new BitSet();

    Pair(Node self) {
      id = self.id();
      learner = self.learner();
      model = self.state().floats("model", learner.parameters().clone());
      start = learner.parameters().clone();
      move = new float[model.length];
      self.state().values("silent", silent::toLongArray, saved -> silent.or(BitSet.valueOf(saved)));
      self.state()
          .values(
              "unanswered", unanswered::toLongArray, saved -> unanswered.or(BitSet.valueOf(saved)));
      askedUpTo = new long[self.nodes()];
      self.state()
          .values(
              "asked-up-to",
              askedUpTo::clone,
              saved -> System.arraycopy(saved, 0, askedUpTo, 0, saved.length));
      models = self.exchange("models", model);
      moves = self.exchange("moves", move);
    }

    double train() {
      System.arraycopy(learner.parameters(), 0, start, 0, start.length);
      return learner.train();
    }

    void applyTraining() {
      float[] trained = learner.parameters();
      for (int i = 0; i < model.length; i++) {
        model[i] += trained[i] - start[i];
      }
    }

    /**
     * Whether it is not a copy of one that came before. One that is overtaken by a later one does
     * not count either: neither side moves then.
     */
    boolean isNew(Message ask) {
      boolean isNew = ask.round() >= askedUpTo[ask.sender()];
      if (isNew) {
        askedUpTo[ask.sender()] = ask.round() + 1L;
      }
      return isNew;
    }

    /**
     * Moves half-way to a model that came, and tells its sender how far to move. The node itself
     * moves by what the message says, so that the two moves cancel whatever the codec loses.
     */
    Payload meet(Message ask) throws InterruptedException {
      silent.clear(ask.sender());
      float[] before = model.clone();
      models.combine(Received.only(ask.round(), ask, 0.5));
      for (int i = 0; i < model.length; i++) {
        move[i] = before[i] - model[i];
      }
      Neighbourhood to = Neighbourhood.sendingTo(id, ask.sender());
      Payload payload = moves.encode(ask.round(), to).to(ask.sender());
      moves.combine(Received.only(ask.round(), new Message(id, ANSWER, ask.round(), payload), 1));
      for (int i = 0; i < model.length; i++) {
        model[i] = before[i] - move[i];
      }
      return payload;
    }

    /** Moves by as much as the other side says; a late answer still counts. */
    void answer(Message answer) throws InterruptedException {
      if (!unanswered.get(answer.round())) {
        return;
      }
      unanswered.clear(answer.round());
      silent.clear(answer.sender());
      asked = asked == answer.sender() ? -1 : asked;
      Arrays.fill(move, 0f);
      moves.combine(Received.only(answer.round(), answer, 1));
      for (int i = 0; i < model.length; i++) {
        model[i] += move[i];
      }
    }

    /** Lets the learner see the averaged model. */
    void show() {
      System.arraycopy(model, 0, learner.parameters(), 0, model.length);
    }
  }
}
