package dev.grapevine.launch;

import dev.grapevine.engine.DivergedException;
import dev.grapevine.experiment.EvaluationSettings;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.learning.Evaluation;
import dev.grapevine.learning.Evaluator;
import dev.grapevine.learning.Learner;
import dev.grapevine.learning.Predictions;
import dev.grapevine.learning.TestMetric;
import dev.grapevine.random.RandomStreams;
import dev.grapevine.results.LinkTraffic;
import dev.grapevine.results.Metrics;
import dev.grapevine.results.MetricsWriter;
import dev.grapevine.runtime.report.AverageModel;
import dev.grapevine.runtime.report.Metric;
import dev.grapevine.runtime.report.NodeOutcome;
import dev.grapevine.runtime.report.NodeReport;
import dev.grapevine.runtime.report.Observer;
import dev.grapevine.runtime.report.PhaseTimes;
import dev.grapevine.settings.Choice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates models when the experiment says so, writes what is measured, and tells the listener.
 * Traffic and times are recorded in the rounds in which a node could be evaluated, so that every
 * accuracy can be set against bytes and seconds.
 */
final class Recorder implements Observer {

  private final EvaluationSettings evaluation;
  private final int rounds;
  private final int learners;
  private final BitSet evaluated;
  private final List<TestMetric> testMetrics;
  private final List<? extends Learner> nodes;
  private final Evaluator test;
  private final Optional<Evaluator> validation;
  private final Assembly assembly;
  private final MetricsWriter metrics;
  private final ProgressListener listener;
  private final Tally tally;
  private final Figures testFigures;
  private final Figures heldOutFigures;
  private final Stopping stopping;
  private final BiConsumer<String, Throwable> log;

  /** What the clients of a server said last. */
  private final AtomicReferenceArray<@Nullable NodeReport> clients;

  /** Often enough to look at; the file is written whole and to the disk each time. */
  private static final long NANOS_BETWEEN_LINKS = 1_000_000_000;

  private final Consumer<LinkTraffic> linksFile;
  private final ConcurrentSkipListMap<Link, Long> links = new ConcurrentSkipListMap<>();
  private final AtomicInteger dueReports = new AtomicInteger();
  private volatile boolean over;
  private volatile long nextLinks = System.nanoTime();

  private record Link(int from, int to) implements Comparable<Link> {

    @Override
    public int compareTo(Link other) {
      return from == other.from ? Integer.compare(to, other.to) : Integer.compare(from, other.from);
    }
  }

  /**
   * @param linksFile takes the traffic of all links, again and again while the run goes
   * @param log takes what nodes throw
   */
  Recorder(
      Experiment experiment,
      Assembly assembly,
      MetricsWriter metrics,
      Consumer<LinkTraffic> linksFile,
      BiConsumer<String, Throwable> log,
      ProgressListener listener) {
    this.evaluation = experiment.evaluation();
    this.rounds = experiment.rounds();
    this.learners = experiment.nodes().count();
    this.assembly = assembly;
    this.nodes = assembly.learners();
    this.evaluated = evaluated(experiment, nodes.size());
    this.testMetrics = evaluation.metrics().stream().map(Choice::create).toList();
    this.test = assembly.testEvaluator();
    this.validation = assembly.validationEvaluator();
    this.metrics = metrics;
    this.linksFile = linksFile;
    this.listener = listener;
    this.clients = new AtomicReferenceArray<>(learners);
    this.tally = new Tally(nodes.size(), learners, rounds);
    this.log = log;
    this.testFigures = new Figures(nodes.size());
    this.heldOutFigures = new Figures(nodes.size());
    // Where there are servers, only these finish rounds.
    BitSet telling = nodes.size() > learners ? evaluated.get(0, nodes.size()) : evaluated;
    if (nodes.size() > learners) {
      telling.clear(0, learners);
    }
    this.stopping = new Stopping(experiment.stop(), telling, test.blindLoss(), System::nanoTime);
  }

  /** The nodes that evaluate: all servers, and all or some of the others. */
  private BitSet evaluated(Experiment experiment, int all) {
    BitSet chosen = new BitSet(all);
    int wanted = evaluation.nodes().orElse(learners);
    for (int node :
        RandomChoice.distinct(
            RandomStreams.of(experiment.seed(), -1, "evaluated nodes"), learners, wanted)) {
      chosen.set(node);
    }
    chosen.set(learners, all);
    return chosen;
  }

  @Override
  public boolean evaluationDue(int node, int round) {
    return evaluated.get(node) && evaluation.due(round, rounds);
  }

  @Override
  public List<Metric> evaluate(int node, int round, Learner learner) {
    List<Metric> figures = new ArrayList<>(6);
    // The last of a node's figures tells that all are there: see record.
    validation.ifPresent(samples ->
        add(
            figures,
            Metrics.VALIDATION_ACCURACY,
            Metrics.VALIDATION_R2,
            Metrics.VALIDATION_LOSS,
            assembly.learners().get(node).evaluate(samples)));
    if (!testMetrics.isEmpty()) {
      Predictions predictions = assembly.learners().get(node).predictions();
      for (TestMetric metric : testMetrics) {
        metric.of(predictions).forEach((name, value) -> figures.add(new Metric(name, value)));
      }
    }
    add(figures, Metrics.TEST_ACCURACY, Metrics.TEST_R2, Metrics.TEST_LOSS, learner.test());
    return figures;
  }

  /** What the models are worth as they start, where the experiment asks for it. */
  void evaluateBeforeTraining() {
    if (!evaluation.before()) {
      return;
    }
    for (int node = evaluated.nextSetBit(0); node >= 0; node = evaluated.nextSetBit(node + 1)) {
      for (Metric figure : evaluate(node, Metrics.BEFORE_TRAINING, nodes.get(node))) {
        metrics.record(node, Metrics.BEFORE_TRAINING, figure.name(), figure.value(), Duration.ZERO);
      }
    }
  }

  private static void add(
      List<Metric> figures, String accuracy, String rSquared, String loss, Evaluation evaluation) {
    if (!Double.isNaN(evaluation.accuracy())) {
      figures.add(new Metric(accuracy, evaluation.accuracy()));
    }
    if (!Double.isNaN(evaluation.rSquared())) {
      figures.add(new Metric(rSquared, evaluation.rSquared()));
    }
    figures.add(new Metric(loss, evaluation.loss()));
  }

  @Override
  public boolean averageDue(int node, int round) {
    return node < learners
        && (evaluation.averageModel() || evaluation.consensus())
        && evaluation.due(round, rounds);
  }

  @Override
  public List<Metric> evaluateAverage(AverageModel average) {
    List<Metric> figures = new ArrayList<>(3);
    if (evaluation.consensus()) {
      figures.add(new Metric(Metrics.CONSENSUS_DISTANCE, average.consensusDistance()));
    }
    if (evaluation.averageModel()) {
      Evaluation result = test.evaluate(average.parameters(), average.statistics());
      add(figures, Metrics.AVERAGE_ACCURACY, Metrics.AVERAGE_R2, Metrics.AVERAGE_LOSS, result);
    }
    return figures;
  }

  @Override
  public void record(int node, int round, String metric, double value, Duration time) {
    if (over) {
      return;
    }
    metrics.record(node, round, metric, value, time);
    if (node < 0) {
      return;
    }
    switch (metric) {
      case Metrics.TEST_ACCURACY -> {
        tally.accuracy(node, value);
        testFigures.set(node, value);
      }
      case Metrics.TEST_R2 -> testFigures.set(node, value);
      case Metrics.VALIDATION_ACCURACY, Metrics.VALIDATION_R2 -> heldOutFigures.set(node, value);
      case Metrics.TEST_LOSS -> {
        stopping.loss(node, round, "test loss", value);
        double held = heldOutFigures.get(node);
        double tested = testFigures.get(node);
        stopping.evaluated(node, round, tested, validation.isPresent() ? held : tested);
      }
      default -> {
        // Of no account for the course of the run.
      }
    }
  }

  @Override
  public @Nullable String stopReason() {
    return stopping.reason();
  }

  /** Hears nothing any more of nodes that were left behind in code without end. */
  void end() {
    over = true;
  }

  /** Whether, when and why the run was stopped or has diverged. */
  Stopping stopping() {
    return stopping;
  }

  @Override
  public void thrown(int node, int round, Throwable failure) {
    if (over) {
      return;
    }
    if (failure instanceof DivergedException) {
      stopping.loss(node, round, "loss", Double.NaN);
    }
    log.accept("node %d failed in round %d".formatted(node, round), failure);
  }

  /** The latest figure of each node; written and read by the node's own thread. */
  private static final class Figures {
    private final double[] values;

    Figures(int nodes) {
      values = new double[nodes];
      Arrays.fill(values, Double.NaN);
    }

    void set(int node, double value) {
      values[node] = value;
    }

    double get(int node) {
      return values[node];
    }
  }

  @Override
  public void roundFinished(NodeReport report) {
    if (over) {
      return;
    }
    if (evaluation.due(report.round(), rounds)) {
      write(report);
      if (report.node() >= learners) {
        writeClients(report);
      }
      boolean allReported =
          report.node() >= learners || dueReports.incrementAndGet() % learners == 0;
      if (allReported && System.nanoTime() - nextLinks >= 0) {
        writeLinks();
      }
    }
    lookAtTrainLoss(report);
    stopping.roundFinished();
    listener.progress(tally.finished(report, stopping.divergedIn().isPresent()));
  }

  /** NaN is also what a node that has not trained yet reports. */
  private void lookAtTrainLoss(NodeReport report) {
    if (!report.phases().training().isZero() && nodes.get(report.node()).stepsPerRound() > 0) {
      stopping.loss(report.node(), report.round(), "training loss", report.trainLoss());
    }
  }

  @Override
  public void reported(NodeReport report) {
    clients.set(report.node(), report);
    tally.reported(report);
  }

  /** Clients have no rounds of their own: their figures belong to the round of the server. */
  private void writeClients(NodeReport server) {
    for (int node = 0; node < learners; node++) {
      NodeReport client = clients.get(node);
      if (client != null) {
        write(
            new NodeReport(
                node,
                server.round(),
                server.time(),
                client.trainLoss(),
                client.traffic(),
                client.phases()));
      }
    }
  }

  private void write(NodeReport report) {
    if (evaluation.trainLoss() && !Double.isNaN(report.trainLoss())) {
      write(report, Metrics.TRAIN_LOSS, report.trainLoss());
    }
    write(report, Metrics.BYTES_SENT, report.traffic().bytesSent());
    write(report, Metrics.BYTES_RECEIVED, report.traffic().bytesReceived());
    write(
        report,
        Metrics.BYTES_METADATA,
        report.traffic().metadataSent() + report.traffic().framingSent());
    PhaseTimes phases = report.phases();
    write(report, Metrics.SECONDS_TRAIN, seconds(phases.training()));
    write(report, Metrics.SECONDS_SHARE, seconds(phases.sharing()));
    write(report, Metrics.SECONDS_WAIT, seconds(phases.waiting()));
    write(report, Metrics.SECONDS_EVALUATE, seconds(phases.evaluating()));
  }

  private void write(NodeReport report, String metric, double value) {
    metrics.record(report.node(), report.round(), metric, value, report.time());
  }

  private static double seconds(Duration duration) {
    return duration.toNanos() / 1e9;
  }

  @Override
  public boolean countsLinks() {
    return evaluation.linkTraffic();
  }

  @Override
  public boolean linksDue(int round) {
    return evaluation.due(round, rounds);
  }

  @Override
  public void sent(int node, int peer, long bytes) {
    links.put(new Link(node, peer), bytes);
  }

  /** Writes who has sent how much to whom so far; for good once the run has ended. */
  void writeLinks() {
    if (evaluation.linkTraffic()) {
      // Two nodes may get here at once, and there is one file.
      synchronized (links) {
        nextLinks = System.nanoTime() + NANOS_BETWEEN_LINKS;
        linksFile.accept(
            new LinkTraffic(
                links.entrySet().stream()
                    .map(link ->
                        new LinkTraffic.Link(
                            link.getKey().from(), link.getKey().to(), link.getValue()))
                    .toList()));
      }
    }
  }

  @Override
  public void nodeEnded(NodeOutcome outcome) {
    if (!over) {
      stopping.ended(outcome.node());
      metrics.flush();
    }
  }
}
