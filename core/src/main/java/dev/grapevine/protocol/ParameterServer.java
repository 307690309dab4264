package dev.grapevine.protocol;

import dev.grapevine.learning.Learner;
import dev.grapevine.message.Message;
import dev.grapevine.message.Payload;
import dev.grapevine.message.Vectors;
import dev.grapevine.node.Node;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

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

  private final Settings settings;

  public ParameterServer(Settings settings) {
    this.settings = settings;
  }

  @Override
  public int servers() {
    return 1;
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
    for (int round = 0; round < self.rounds(); round++) {
      broadcast(self, round);
      List<Message> gradients = new ArrayList<>();
      while (gradients.size() < self.learners()) {
        Message message = self.receive(self.patience()).orElse(null);
        if (message == null) {
          break;
        }
        if (message.tag() == GRADIENT && message.round() == round) {
          gradients.add(message);
        }
      }
      gradients.sort(Comparator.comparingInt(Message::sender));
      self.compute(() -> applyMean(self.learner(), gradients));
      self.evaluate(round);
    }
  }

  private static void serveEach(Node self) throws InterruptedException {
    broadcast(self, 0);
    for (int round = 0; round < self.rounds(); round++) {
      int current = round;
      for (int applied = 0; applied < self.learners(); ) {
        Message message = self.receive(self.patience()).orElse(null);
        if (message == null) {
          break;
        }
        if (message.tag() == GRADIENT) {
          self.compute(() -> applyMean(self.learner(), List.of(message)));
          self.send(message.sender(), MODEL, current, model(self));
          self.record(round, "staleness", round - message.round());
          applied++;
        }
      }
      self.evaluate(round);
    }
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
    while (true) {
      Message message = self.receive(self.patience()).orElse(null);
      if (message == null || message.tag() == END) {
        return;
      }
      self.train(() -> {
        Vectors.read(message.payload().buffer(), learner.parameters());
        learner.gradient(gradient);
      });
      Payload reply = self.compute(() -> Vectors.payload(gradient));
      self.send(message.sender(), GRADIENT, message.round(), reply);
    }
  }
}
