package dev.grapevine.protocol;

import dev.grapevine.message.Message;
import dev.grapevine.message.Payload;
import dev.grapevine.node.Node;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A server's wait for what it asked its clients for. A client counts once, whatever it sends twice
 * or late. While the server waits it shows all clients from time to time that it is alive, so that
 * they need not tell a server that waits for another from one that is gone.
 */
public final class Replies {

  /** Signs of life in the time after which a client takes its server for gone. */
  private static final int SIGNS = 4;

  private final Node self;
  private final int aliveTag;
  private final Duration patience;
  private final Duration betweenSigns;
  private final BitSet expected = new BitSet();

  /** How often clients had come back when they were asked: who did since has not heard it. */
  private final Map<Integer, Integer> returns = new HashMap<>();

  private final TreeMap<Integer, Message> came = new TreeMap<>();
  private int round = -1;
  private int answers;
  private Duration lastSign = Duration.ZERO;

  public Replies(Node self, int replyTag, int aliveTag) {
    this.self = self;
    this.aliveTag = aliveTag;
    this.patience = self.patience();
    // Clients that wait for ever need no signs, and a server that does must not look busy.
    this.betweenSigns = patience.equals(Node.FOREVER) ? patience : patience.dividedBy(SIGNS);
    self.state()
        .value("last-sign", () -> lastSign.toNanos(), saved -> lastSign = Duration.ofNanos(saved));
    self.onMessage(replyTag, this::take);
  }

  /** To be called before the clients are asked. */
  public void expect(int round, int[] clients) {
    this.round = round;
    came.clear();
    expected.clear();
    for (int client : clients) {
      expected.set(client);
      returns.put(client, self.returns(client));
    }
  }

  private void take(Message reply) {
    if (reply.round() != round || !expected.get(reply.sender())) {
      return;
    }
    expected.clear(reply.sender());
    answers++;
    came.put(reply.sender(), reply);
  }

  /**
   * The replies by rising client, once all that are not gone have answered or nobody has for too
   * long.
   */
  public List<Message> collect() throws InterruptedException {
    Duration lastAnswer = self.time();
    while (isAwaiting()) {
      int before = answers;
      if (self.await(() -> answers > before || !isAwaiting(), betweenSigns)) {
        lastAnswer = self.time();
      } else if (self.time().minus(lastAnswer).compareTo(patience) >= 0) {
        break;
      }
      showLife();
    }
    expected.clear();
    return new ArrayList<>(came.values());
  }

  private boolean isAwaiting() {
    return expected.stream().anyMatch(this::mayAnswer);
  }

  private boolean mayAnswer(int client) {
    return !self.isGone(client) && self.returns(client) == returns.getOrDefault(client, 0);
  }

  /** Tells all clients that the server is there, if it has not just done so. */
  public void showLife() throws InterruptedException {
    if (self.time().minus(lastSign).compareTo(betweenSigns) >= 0) {
      lastSign = self.time();
      for (int client = 0; client < self.learners(); client++) {
        self.send(client, aliveTag, 0, Payload.empty());
      }
    }
  }
}
