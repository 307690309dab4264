package dev.grapevine.launch;

import dev.grapevine.experiment.EvaluationSettings;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.learning.Evaluation;
import dev.grapevine.learning.Evaluator;
import dev.grapevine.learning.Learner;
import dev.grapevine.node.RandomStreams;
import dev.grapevine.results.LinkTraffic;
import dev.grapevine.results.Metrics;
import dev.grapevine.results.MetricsWriter;
import dev.grapevine.runtime.AverageModel;
import dev.grapevine.runtime.Metric;
import dev.grapevine.runtime.NodeOutcome;
import dev.grapevine.runtime.PhaseTimes;
import dev.grapevine.runtime.RoundReport;
import dev.grapevine.runtime.RunObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates models when the experiment says so, writes what is measured, and tells the listener.
 * Traffic and times are recorded in the rounds in which a node could be evaluated, so that every
 * accuracy can be set against bytes and seconds.
 */
final class Recorder implements RunObserver {

  private final EvaluationSettings evaluation;
  private final int rounds;
  private final int learners;
  private final BitSet evaluated;
  private final List<? extends Learner> nodes;
  private final Evaluator test;
  private final Optional<Evaluator> validation;
  private final Assembly assembly;
  private final MetricsWriter metrics;
  private final RunListener listener;
  private final Tally tally;

  /** What the clients of a server said last. */
  private final AtomicReferenceArray<@Nullable RoundReport> clients;

  /** Often enough to look at; the file is written whole and to the disk each time. */
  private static final long NANOS_BETWEEN_LINKS = 1_000_000_000;

  private final Consumer<LinkTraffic> linksFile;
  private final ConcurrentSkipListMap<Link, Long> links = new ConcurrentSkipListMap<>();
  private final AtomicInteger dueReports = new AtomicInteger();
  private volatile long nextLinks = System.nanoTime();

  private record Link(int from, int to) implements Comparable<Link> {

    @Override
    public int compareTo(Link other) {
      return from == other.from ? Integer.compare(to, other.to) : Integer.compare(from, other.from);
    }
  }

  /**
   * @param linksFile takes the traffic of all links, again and again while the run goes
   */
  Recorder(
      Experiment experiment,
      Assembly assembly,
      MetricsWriter metrics,
      Consumer<LinkTraffic> linksFile,
      RunListener listener) {
    this.evaluation = experiment.evaluation();
    this.rounds = experiment.rounds();
    this.learners = experiment.nodes().count();
    this.assembly = assembly;
    this.nodes = assembly.learners();
    this.evaluated = evaluated(experiment, nodes.size());
    this.test = assembly.testEvaluator();
    this.validation = assembly.validationEvaluator();
    this.metrics = metrics;
    this.linksFile = linksFile;
    this.listener = listener;
    this.clients = new AtomicReferenceArray<>(learners);
    this.tally = new Tally(nodes.size(), learners, rounds);
  }

  /** The nodes that evaluate: all servers, and all or some of the others. */
  private BitSet evaluated(Experiment experiment, int all) {
    BitSet chosen = new BitSet(all);
    int wanted = Math.min(learners, evaluation.nodes().orElse(learners));
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
    List<Metric> figures = new ArrayList<>(4);
    add(figures, Metrics.TEST_ACCURACY, Metrics.TEST_LOSS, learner.test());
    validation.ifPresent(samples ->
        add(
            figures,
            Metrics.VALIDATION_ACCURACY,
            Metrics.VALIDATION_LOSS,
            assembly.learners().get(node).evaluate(samples)));
    return figures;
  }

  private static void add(
      List<Metric> figures, String accuracy, String loss, Evaluation evaluation) {
    if (!Double.isNaN(evaluation.accuracy())) {
      figures.add(new Metric(accuracy, evaluation.accuracy()));
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
      Evaluation result =
          test.evaluate(average.parameters(), assembly.learners().getFirst().statistics());
      add(figures, Metrics.AVERAGE_ACCURACY, Metrics.AVERAGE_LOSS, result);
    }
    return figures;
  }

  @Override
  public void record(int node, int round, String metric, double value, Duration time) {
    metrics.record(node, round, metric, value, time);
    if (metric.equals(Metrics.TEST_ACCURACY)) {
      tally.accuracy(node, value);
    }
  }

  @Override
  public void roundFinished(RoundReport report) {
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
    listener.progress(tally.finished(report));
  }

  @Override
  public void reported(RoundReport report) {
    clients.set(report.node(), report);
    tally.reported(report);
  }

  /** Clients have no rounds of their own: their figures belong to the round of the server. */
  private void writeClients(RoundReport server) {
    for (int node = 0; node < learners; node++) {
      RoundReport client = clients.get(node);
      if (client != null) {
        write(
            new RoundReport(
                node,
                server.round(),
                server.time(),
                client.trainLoss(),
                client.traffic(),
                client.phases()));
      }
    }
  }

  private void write(RoundReport report) {
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

  private void write(RoundReport report, String metric, double value) {
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
    metrics.flush();
  }
}
