package dev.grapevine.protocol;

import dev.grapevine.learning.Learner;
import dev.grapevine.message.Message;
import dev.grapevine.message.Payload;
import dev.grapevine.message.Vectors;
import dev.grapevine.node.Node;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.sharing.Continuity;
import dev.grapevine.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A parameter server with gradients. Workers download the model, compute the gradient of one
 * mini-batch and send it; the server applies gradients with the experiment's optimizer.
 *
 * <ul>
 *   <li>Synchronous (C-SGD, Algorithms 2 and 3 of the JWINS++ thesis): the server waits for all
 *       workers and applies the mean gradient; a round is one such step.
 *   <li>Asynchronous (Downpour): the server applies each gradient as it comes and answers its
 *       sender at once; a round is as many gradients as there are workers.
 * </ul>
 */
@Kind(
    name = "parameter-server",
    summary = "workers send gradients to a server that owns the model (C-SGD, Downpour)",
    paper =
        "Li et al.: Scaling Distributed Machine Learning with the Parameter Server, 2014; "
            + "Dean et al.: Large Scale Distributed Deep Networks, 2012")
public final class ParameterServer implements Protocol {

  /** When the server applies gradients. */
  public enum Mode {
    SYNCHRONOUS,
    ASYNCHRONOUS
  }

  /** The {@code [protocol]} table. */
  public record Settings(
      @Doc("apply the mean gradient of all workers, or each gradient as it comes")
          @Default("synchronous")
          Mode mode) {}

  private static final int MODEL = 1;
  private static final int GRADIENT = 2;
  private static final int END = 3;
  private static final int ALIVE = 4;

  private final Settings settings;

  public ParameterServer(Settings settings) {
    this.settings = settings;
  }

  @Override
  public int servers() {
    return 1;
  }

  @Override
  public Optional<String> objection(String sharing, Continuity continuity, Topology topology) {
    return Objections.ownEncoding(sharing, "models and gradients");
  }

  @Override
  public void run(Node self) throws InterruptedException {
    if (self.id() < self.learners()) {
      work(self);
      return;
    }
    switch (settings.mode()) {
      case SYNCHRONOUS -> serveTogether(self);
      case ASYNCHRONOUS -> serveEach(self);
    }
    for (int worker = 0; worker < self.learners(); worker++) {
      self.send(worker, END, self.rounds(), Payload.empty());
    }
  }

  private static void serveTogether(Node self) throws InterruptedException {
    Replies gradients =
        new Replies(self, GRADIENT, ALIVE, gradient -> requireGradient(self, gradient));
    int[] workers = IntStream.range(0, self.learners()).toArray();
    for (int round = 0; round < self.rounds(); round++) {
      gradients.expect(round, workers);
      broadcast(self, round);
      List<Message> arrived = gradients.collect();
      self.compute(() -> applyMean(self.learner(), arrived));
      self.evaluate(round);
    }
  }

  /**
   * The messages' round is the number of the model: how many gradients had gone into it. A worker
   * is answered once for each model that it was sent.
   */
  private static void serveEach(Node self) throws InterruptedException {
    int workers = self.learners();
    List<Message> waiting = new ArrayList<>();
    int[] sent = new int[workers];
    self.onMessage(
        GRADIENT,
        gradient -> {
          requireGradient(self, gradient);
          if (gradient.sender() < workers && sent[gradient.sender()] == gradient.round()) {
            sent[gradient.sender()] = -1;
            waiting.add(gradient);
          }
        });
    broadcast(self, 0);
    int applied = 0;
    for (int round = 0; round < self.rounds(); round++) {
      while (applied < (round + 1) * workers) {
        if (!self.await(() -> !waiting.isEmpty(), self.patience())) {
          return;
        }
        Message gradient = waiting.removeFirst();
        self.compute(() -> applyMean(self.learner(), List.of(gradient)));
        self.record(round, "staleness", applied - gradient.round());
        applied++;
        sent[gradient.sender()] = applied;
        self.send(gradient.sender(), MODEL, applied, model(self));
      }
      self.evaluate(round);
    }
  }

  private static void requireGradient(Node self, Message gradient) {
    Sound.requireVector(gradient.payload(), 0, self.learner().parameters().length);
  }

  private static void broadcast(Node self, int round) throws InterruptedException {
    Payload model = model(self);
    for (int worker = 0; worker < self.learners(); worker++) {
      self.send(worker, MODEL, round, model);
    }
  }

  private static Payload model(Node self) throws InterruptedException {
    return self.compute(() -> Vectors.payload(self.learner().parameters()));
  }

  private static int applyMean(Learner learner, List<Message> gradients) {
    if (gradients.isEmpty()) {
      return 0;
    }
    float[] mean = new float[learner.parameters().length];
    for (Message gradient : gradients) {
      Vectors.addScaled(gradient.payload().buffer(), 1f / gradients.size(), mean);
    }
    learner.apply(mean);
    return gradients.size();
  }

  private static void work(Node self) throws InterruptedException {
    Learner learner = self.learner();
    float[] gradient = new float[learner.parameters().length];
    Requests requests =
        new Requests(
            self,
            new int[] {MODEL},
            END,
            ALIVE,
            model -> Sound.requireVector(model.payload(), 0, gradient.length));
    for (Message model = requests.next(); model != null; model = requests.next()) {
      Payload parameters = model.payload();
      self.train(() -> {
        Vectors.read(parameters.buffer(), learner.parameters());
        learner.gradient(gradient);
      });
      Payload reply = self.compute(() -> Vectors.payload(gradient));
      self.send(model.sender(), GRADIENT, model.round(), reply);
    }
  }
}
