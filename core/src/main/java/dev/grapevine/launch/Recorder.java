package dev.grapevine.launch;

import dev.grapevine.engine.DivergedException;
import dev.grapevine.experiment.EvaluationSettings;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.experiment.StopSettings;
import dev.grapevine.learning.Learner;
import dev.grapevine.results.LinkTraffic;
import dev.grapevine.results.Metrics;
import dev.grapevine.results.MetricsWriter;
import dev.grapevine.results.RunDirectory;
import dev.grapevine.runtime.fault.InjectedFault;
import dev.grapevine.runtime.report.AverageModel;
import dev.grapevine.runtime.report.Metric;
import dev.grapevine.runtime.report.NodeOutcome;
import dev.grapevine.runtime.report.NodeReport;
import dev.grapevine.runtime.report.Observer;
import dev.grapevine.runtime.report.PhaseTimes;
import dev.grapevine.state.State;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes what is measured and tells the listener, and has models evaluated when it is time. Bytes
 * and times are recorded in the rounds in which a node could be evaluated, so that every accuracy
 * can be set against bytes and seconds. It takes what nodes tell, be they in this process or in
 * others.
 */
final class Recorder implements Observer {

  private static final System.Logger LOG = System.getLogger(Recorder.class.getName());

  private final EvaluationSettings evaluation;
  private final int rounds;
  private final int learners;
  private final Assembly assembly;
  private final Evaluations evaluations;
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
  private final Set<InjectedFault> struck = ConcurrentHashMap.newKeySet();
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
   * @param clock how long the run has gone, its time before it was resumed included
   */
  Recorder(
      Experiment experiment,
      Assembly assembly,
      StopSettings stop,
      MetricsWriter metrics,
      Consumer<LinkTraffic> linksFile,
      BiConsumer<String, Throwable> log,
      ProgressListener listener,
      RunClock clock) {
    this.evaluation = experiment.evaluation();
    this.rounds = experiment.rounds();
    this.learners = experiment.nodes().count();
    this.assembly = assembly;
    this.evaluations = new Evaluations(experiment, assembly);
    this.metrics = metrics;
    this.linksFile = linksFile;
    this.listener = listener;
    this.clients = new AtomicReferenceArray<>(learners);
    this.tally = new Tally(assembly.nodes(), learners, rounds);
    this.log = log;
    this.testFigures = new Figures(assembly.nodes());
    this.heldOutFigures = new Figures(assembly.nodes());
    this.stopping =
        new Stopping(stop, evaluations.telling(), evaluations.blindLoss(), clock::nanos);
  }

  /** What the models of this process are worth as they start, where the experiment asks for it. */
  void evaluateBeforeTraining() {
    evaluations.beforeTraining(this::beforeTraining);
  }

  /** A figure of a model as it starts; of no account for the course of the run. */
  void beforeTraining(int node, Metric figure) {
    metrics.record(node, Metrics.BEFORE_TRAINING, figure.name(), figure.value(), Duration.ZERO);
  }

  @Override
  public boolean evaluationDue(int node, int round) {
    return evaluations.evaluationDue(node, round);
  }

  @Override
  public List<Metric> evaluate(int node, int round, Learner learner) {
    return evaluations.evaluate(node, learner);
  }

  @Override
  public boolean averageDue(int node, int round) {
    return evaluations.averageDue(node, round);
  }

  @Override
  public List<Metric> evaluateAverage(AverageModel average) {
    return evaluations.evaluateAverage(average);
  }

  @Override
  public void record(int node, int round, String metric, double value, Duration time) {
    if (over) {
      return;
    }
    metrics.record(node, round, metric, value, time);
    takeIn(node, round, metric, value);
  }

  /**
   * Goes on from what was recorded before a cut.
   *
   * @param mended the faults on purpose that struck before
   */
  void goOn(RunDirectory directory, int firstRound, State run, Set<InjectedFault> mended) {
    struck.addAll(mended);
    tally.beginAt(firstRound);
    directory.forEachFigure(this::takeIn);
    stopping.declare(run, firstRound);
  }

  private void takeIn(int node, int round, String metric, double value) {
    if (node < 0 || round < 0) {
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
        stopping.evaluated(node, round, tested, evaluations.validates() ? held : tested);
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
    thrown(node, round, failure instanceof DivergedException, failure);
  }

  /** The same of a failure of which another process tells. */
  void thrown(int node, int round, boolean diverged, Throwable failure) {
    if (over) {
      return;
    }
    if (diverged) {
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
        writeLinksInPassing();
      }
    }
    lookAtTrainLoss(report);
    stopping.roundFinished();
    listener.progress(tally.finished(report, stopping.divergedIn().isPresent()));
  }

  /** NaN is also what a node that has not trained yet reports. */
  private void lookAtTrainLoss(NodeReport report) {
    if (!report.phases().training().isZero() && assembly.trains(report.node())) {
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
    write(report, Metrics.SECONDS_PROCESSOR, seconds(phases.processor()));
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

  /** A file that cannot be written now may be the next time; only at the end it has to be. */
  private void writeLinksInPassing() {
    try {
      writeLinks();
    } catch (UncheckedIOException e) {
      LOG.log(Level.DEBUG, e.getMessage());
    }
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
  public void faultStruck(InjectedFault fault) {
    struck.add(fault);
  }

  /** The faults on purpose that have ended a node's life, be it before the run went back. */
  Set<InjectedFault> struck() {
    return Set.copyOf(struck);
  }

  @Override
  public void nodeWentDown(int node) {
    stopping.ended(node);
    tally.isDown(node);
  }

  @Override
  public void nodeIsBack(int node, int round, int missed) {
    stopping.isBack(node);
    tally.missed(missed);
  }

  @Override
  public void nodeEnded(NodeOutcome outcome) {
    if (!over) {
      stopping.ended(outcome.node());
      metrics.flush();
    }
  }
}
