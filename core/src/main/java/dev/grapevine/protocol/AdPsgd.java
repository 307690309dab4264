package dev.grapevine.protocol;

import dev.grapevine.learning.Learner;
import dev.grapevine.message.Message;
import dev.grapevine.message.Payload;
import dev.grapevine.message.Vectors;
import dev.grapevine.node.Node;
import dev.grapevine.settings.Kind;
import dev.grapevine.sharing.Continuity;
import dev.grapevine.topology.Topology;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Optional;

/**
 * Asynchronous decentralized parallel SGD: each node trains at its own pace; after each local
 * training it averages its model half and half with that of one random neighbour, which answers
 * even while it trains itself. Training computed at an older model is then applied to the averaged
 * one:
 *
 * <pre>  (x_i, x_j) ← ((x_i + x_j)/2, (x_i + x_j)/2);   x_i ← x_i − γ g(x̂_i).</pre>
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
  public Optional<String> objection(String sharing, Continuity continuity, Topology topology) {
    return Objections.ownEncoding(sharing, "models and their differences");
  }

  @Override
  public void run(Node self) throws InterruptedException {
    Pair pair = new Pair(self.learner());
    self.onMessage(ASK, ask -> self.send(ask.sender(), ANSWER, ask.round(), pair.meet(ask)));
    self.onMessage(ANSWER, answer -> pair.answer(answer));
    Barrier end = new Barrier(self, DONE);
    for (int round = 0; round < self.rounds(); round++) {
      self.train(pair::train);
      pair.applyTraining();
      int[] peers =
          Arrays.stream(self.neighbours(round).sendsTo())
              .filter(peer -> !pair.silent.get(peer))
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
    self.send(peer, ASK, round, pair.model());
    pair.asked = peer;
    if (!self.await(() -> pair.asked < 0, self.patience())) {
      pair.silent.set(peer);
    }
  }

  /**
   * The model that is averaged, beside the learner's copy that is trained. All but {@link #train}
   * runs on the node's own thread.
   */
  private static final class Pair {

    private final Learner learner;
    private final float[] model;
    private final float[] start;
    private int asked = -1;

    /** Peers that did not answer and have not been heard since; nobody waits for them again. */
    private final BitSet silent = new BitSet();

    Pair(Learner learner) {
      this.learner = learner;
      this.model = learner.parameters().clone();
      this.start = learner.parameters().clone();
    }

    void train() {
      System.arraycopy(learner.parameters(), 0, start, 0, start.length);
      learner.train();
    }

    void applyTraining() {
      float[] trained = learner.parameters();
      for (int i = 0; i < model.length; i++) {
        model[i] += trained[i] - start[i];
      }
    }

    Payload model() {
      return Vectors.payload(model);
    }

    /** Moves half-way to a model that came, and tells its sender how far to move. */
    Payload meet(Message ask) {
      float[] move = new float[model.length];
      Vectors.read(ask.payload().buffer(), move);
      silent.clear(ask.sender());
      for (int i = 0; i < model.length; i++) {
        move[i] = (model[i] - move[i]) / 2;
        model[i] -= move[i];
      }
      return Vectors.payload(move);
    }

    /** Moves by as much as the other side says; a late answer still counts. */
    void answer(Message answer) {
      silent.clear(answer.sender());
      asked = asked == answer.sender() ? -1 : asked;
      Vectors.addScaled(answer.payload().buffer(), 1, model);
    }

    /** Lets the learner see the averaged model. */
    void show() {
      System.arraycopy(model, 0, learner.parameters(), 0, model.length);
    }
  }
}
