package dev.grapevine.protocol;

import dev.grapevine.aggregation.Aggregator;
import dev.grapevine.exchange.Contribution;
import dev.grapevine.exchange.Exchange;
import dev.grapevine.exchange.Received;
import dev.grapevine.learning.Learner;
import dev.grapevine.message.Message;
import dev.grapevine.message.MessageBytes;
import dev.grapevine.message.Payload;
import dev.grapevine.node.Node;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.settings.SettingException;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.topology.Neighbourhood;
import dev.grapevine.topology.Topology;
import java.util.ArrayList;
import java.util.Arrays;
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
 *
 * With several mini-batches a worker either trains its copy of the model and sends the sum of the
 * gradients on its way, the model that it downloads next taking the place of its copy (local steps
 * of Downpour), or sends their mean at the model that it was given; over a whole pass this is the
 * gradient of all of its samples, FedSGD (McMahan et al., 2017).
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
          Mode mode,
      @Doc("mini-batches of a worker between two messages; 0 for as many as [training] says")
          @Default("1")
          int steps,
      @Doc(
              "what several mini-batches are: steps on the worker's own copy whose gradients are added"
                  + " up, or one mean gradient, which over a whole pass (training.epochs = 1) is"
                  + " FedSGD")
          @Default("steps")
          Several several) {

    public Settings {
      SettingException.require(
          steps >= 0,
          "steps",
          "steps must not be negative (0 for those of [training]): steps=" + steps);
    }
  }

  /** What several mini-batches of a worker are. */
  public enum Several {
    STEPS,
    MEAN
  }

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
  public Optional<String> objection(Encoding encoding, Aggregator rule, Topology topology) {
    return Objections.first(
        Objections.server(encoding),
        Objections.unless(
            encoding.isMemoryless(),
            "it sends gradients, each of which stands for itself, and what the scheme sends depends"
                + " on what it sent before; take full, topk, subsampling or round-robin"));
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
    Exchange gradients = gradients(self);
    Replies replies = new Replies(self, GRADIENT, ALIVE);
    Downloads downloads = new Downloads(self);
    int[] workers = IntStream.range(0, self.learners()).toArray();
    for (int round = self.firstRound(); round < self.rounds(); round++) {
      replies.expect(round, workers);
      downloads.send(round, workers);
      List<Message> arrived = replies.collect();
      downloads.confirmed(arrived);
      applyMean(self, gradients, round, arrived);
      self.evaluate(round);
    }
  }

  /**
   * The messages' round is the number of the model: how many gradients had gone into it. A worker
   * is answered once for each model that it was sent.
   */
  private static void serveEach(Node self) throws InterruptedException {
    int workers = self.learners();
    Exchange gradients = gradients(self);
    Downloads downloads = new Downloads(self);
    List<Message> waiting = new ArrayList<>();
    int[] sent = new int[workers];
    boolean begins = !self.state().holds("sent");
    self.state()
        .values(
            "sent",
            () -> Arrays.stream(sent).asLongStream().toArray(),
            saved -> Arrays.setAll(sent, worker -> (int) saved[worker]));
    self.state()
        .bytes(
            "waiting",
            () -> MessageBytes.write(waiting),
            saved -> waiting.addAll(MessageBytes.read(saved)));
    self.onMessage(
        GRADIENT,
        gradient -> {
          if (gradient.sender() < workers && sent[gradient.sender()] == gradient.round()) {
            sent[gradient.sender()] = -1;
            waiting.add(gradient);
          }
        });
    int[] returns = new int[workers];
    self.state()
        .values(
            "returns",
            () -> Arrays.stream(returns).asLongStream().toArray(),
            saved -> Arrays.setAll(returns, worker -> (int) saved[worker]));
    int applied = self.firstRound() * workers;
    if (begins) {
      Arrays.fill(sent, applied);
      downloads.send(applied, IntStream.range(0, workers).toArray());
    }
    for (int round = self.firstRound(); round < self.rounds(); round++) {
      while (applied < (round + 1) * workers) {
        self.await(
            () -> !waiting.isEmpty() || isAlone(self) || returned(self, returns).length > 0,
            self.patience());
        int[] back = returned(self, returns);
        for (int worker : back) {
          // It knows nothing of the model that it was sent last.
          returns[worker] = self.returns(worker);
          sent[worker] = applied;
          downloads.send(applied, new int[] {worker});
        }
        if (waiting.isEmpty() && back.length > 0) {
          continue;
        }
        if (waiting.isEmpty()) {
          return;
        }
        Message gradient = waiting.removeFirst();
        applyMean(self, gradients, gradient.round(), List.of(gradient));
        self.record(round, "staleness", applied - gradient.round());
        applied++;
        sent[gradient.sender()] = applied;
        downloads.send(applied, new int[] {gradient.sender()});
      }
      self.evaluate(round);
    }
  }

  /** The workers that have come back since they were last sent a model. */
  private static int[] returned(Node self, int[] returns) {
    return IntStream.range(0, returns.length)
        .filter(worker -> !self.isGone(worker) && self.returns(worker) != returns[worker])
        .toArray();
  }

  private static boolean isAlone(Node self) {
    return IntStream.range(0, self.learners()).allMatch(self::isGone);
  }

  private static Exchange gradients(Node self) {
    return self.exchange("gradient", new float[self.learner().parameters().length]);
  }

  private static void applyMean(Node self, Exchange gradients, int round, List<Message> arrived)
      throws InterruptedException {
    if (arrived.isEmpty()) {
      return;
    }
    double weight = 1.0 / arrived.size();
    Arrays.fill(gradients.vector(), 0f);
    gradients.combine(
        new Received(
            round,
            0,
            arrived.stream()
                .map(each -> new Contribution(each.sender(), weight, each.payload()))
                .toList()));
    self.compute(() -> {
      self.learner().apply(gradients.vector());
      return self;
    });
  }

  /** The gradient of one mini-batch, or the sum of several along the worker's own way. */
  private double accrue(Learner learner, float[] sum) {
    int steps = settings.steps() == 0 ? learner.stepsPerRound() : settings.steps();
    boolean mean = settings.several() == Several.MEAN;
    if (steps == 1) {
      return learner.gradient(sum);
    }
    float[] gradient = new float[sum.length];
    Arrays.fill(sum, 0f);
    double loss = 0;
    float share = mean ? 1f / steps : 1;
    for (int step = 0; step < steps; step++) {
      loss += learner.gradient(gradient);
      for (int i = 0; i < sum.length; i++) {
        sum[i] += share * gradient[i];
      }
      if (!mean) {
        learner.apply(gradient);
      }
    }
    return loss / Math.max(1, steps);
  }

  private void work(Node self) throws InterruptedException {
    Exchange gradients = gradients(self);
    Requests requests = new Requests(self, Downloads.TAGS, END, ALIVE);
    for (Message model = requests.next(); model != null; model = requests.next()) {
      Downloads.take(self, model);
      self.train(() -> accrue(self.learner(), gradients.vector()));
      Payload gradient =
          gradients
              .encode(model.round(), Neighbourhood.sendingTo(self.id(), model.sender()))
              .to(model.sender());
      self.send(model.sender(), GRADIENT, model.round(), gradient);
    }
  }
}
