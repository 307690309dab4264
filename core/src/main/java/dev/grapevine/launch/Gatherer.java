package dev.grapevine.launch;

import dev.grapevine.checkpoint.CutParts;
import dev.grapevine.cluster.Coordinator;
import dev.grapevine.cluster.Event;
import dev.grapevine.cluster.Gathering;
import dev.grapevine.cluster.Placement;
import dev.grapevine.cluster.WorkerPlace;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.results.Deployment;
import dev.grapevine.results.HostName;
import dev.grapevine.results.RunDirectory;
import dev.grapevine.results.SharePercentiles;
import dev.grapevine.runtime.Company;
import dev.grapevine.runtime.Endings;
import dev.grapevine.runtime.Outcome;
import dev.grapevine.runtime.Resumption;
import dev.grapevine.runtime.fault.InjectedFault;
import dev.grapevine.runtime.report.AverageEvaluation;
import dev.grapevine.runtime.report.Metric;
import dev.grapevine.runtime.report.ModelSum;
import dev.grapevine.runtime.report.NodeOutcome;
import dev.grapevine.runtime.report.NodeReport;
import dev.grapevine.runtime.report.Observer;
import dev.grapevine.runtime.report.PhaseTimes;
import dev.grapevine.runtime.report.Traffic;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** Records what the workers of a run tell, as if their nodes were in this process. */
final class Gatherer implements Gathering, AutoCloseable {

  private static final System.Logger LOG = System.getLogger(Gatherer.class.getName());

  /** What is written of where the run is. */
  record Place(String session, String encryption) {}

  private final Recorder recorder;
  private final Placement placement;
  private final RunDirectory target;
  private final ProgressListener listener;
  private final Place place;
  private final Endings endings;
  private final AverageGathering averages;
  private final HandedIn files;
  private final Retold retold = new Retold();
  private final boolean workersComeBack;
  private final @Nullable CutParts cuts;
  private final Map<Integer, NodeReport> latest = new HashMap<>();
  private final BitSet ended = new BitSet();
  private final BitSet down = new BitSet();
  private final boolean nodesComeAndGo;
  private final int learners;
  private int lastCounted = -1;
  private final SequencedMap<Integer, double[]> shareCounts = new TreeMap<>();
  private final Map<Integer, String> lost = new TreeMap<>();
  private List<WorkerPlace> workers = List.of();

  Gatherer(
      Experiment experiment,
      Recorder recorder,
      Placement placement,
      RunDirectory target,
      ProgressListener listener,
      Place place,
      @Nullable CutParts cuts,
      boolean workersComeBack,
      boolean nodesComeAndGo) {
    this.recorder = recorder;
    this.placement = placement;
    this.target = target;
    this.listener = listener;
    this.place = place;
    this.cuts = cuts;
    this.workersComeBack = workersComeBack;
    this.nodesComeAndGo = nodesComeAndGo;
    this.learners = experiment.nodes().count();
    int[] workerOf = placement.workerOf();
    endings = new Endings(experiment.faultPolicy(), recorder, workerOf.length, nodesComeAndGo);
    AverageEvaluation evaluation = new AverageEvaluation(recorder);
    endings.watch(evaluation);
    averages = new AverageGathering(workerOf, recorder, evaluation);
    files = new HandedIn(target, workerOf);
  }

  @Override
  public void joined(String worker, int missing) {
    listener.joined(worker, missing);
  }

  @Override
  public void begun(List<WorkerPlace> present) {
    workers = present;
    recorder.stopping().begin();
    writeDeployment();
  }

  private void writeDeployment() {
    List<Deployment.Worker> all = new ArrayList<>();
    for (WorkerPlace worker : workers) {
      all.add(
          new Deployment.Worker(
              worker.rank(),
              worker.nodes(),
              worker.host(),
              worker.address(),
              worker.process(),
              Optional.ofNullable(lost.get(worker.rank()))));
    }
    target.writeDeployment(
        new Deployment(place.session(), HostName.here(), place.encryption(), all));
  }

  @Override
  public void event(Event event) {
    if (workersComeBack && !retold.isNew(event)) {
      return;
    }
    switch (event) {
      case Event.Before before ->
          recorder.beforeTraining(before.node(), new Metric(before.metric(), before.value()));
      case Event.Figure figure ->
          recorder.record(
              figure.node(), figure.round(), figure.metric(), figure.value(), figure.time());
      case Event.RoundFinished finished -> {
        latest.put(finished.node(), finished.report());
        recordAlive(finished.report());
        recorder.roundFinished(finished.report());
      }
      case Event.Reported reported -> {
        latest.put(reported.node(), reported.report());
        recorder.reported(reported.report());
      }
      case Event.Sent sent -> recorder.sent(sent.node(), sent.peer(), sent.bytes());
      case Event.Thrown thrown ->
          recorder.thrown(
              thrown.node(), thrown.round(), thrown.diverged(), new Elsewhere(thrown.text()));
      case Event.ShareCounts counts -> shareCounts.put(counts.node(), counts.percentiles());
      case Event.FaultStruck struck -> recorder.faultStruck(struck.fault());
      case Event.WentDown gone -> {
        isDown(gone.node());
        recorder.nodeWentDown(gone.node());
      }
      case Event.IsBack back -> {
        down.clear(back.node());
        if (!ended.get(back.node())) {
          averages.isBack(back.node());
        }
        recorder.nodeIsBack(back.node(), back.round(), back.missed());
      }
      case Event.Ended end -> ended(end.outcome());
    }
  }

  private void isDown(int node) {
    down.set(node);
    averages.ended(node);
  }

  /** How many nodes with data are up when the first finishes a round. */
  private void recordAlive(NodeReport report) {
    if (nodesComeAndGo && report.round() > lastCounted) {
      lastCounted = report.round();
      int alive = 0;
      for (int node = 0; node < learners; node++) {
        alive += down.get(node) || ended.get(node) ? 0 : 1;
      }
      recorder.record(Observer.AVERAGE, report.round(), "nodes_alive", alive, report.time());
    }
  }

  /** What was thrown in another process, whose trace is its message. */
  private static final class Elsewhere extends RuntimeException {
    Elsewhere(String text) {
      super(text, null, false, false);
    }
  }

  private void ended(NodeOutcome outcome) {
    if (!ended.get(outcome.node())) {
      ended.set(outcome.node());
      // Its worker has decided what that means for the run, and has told the other nodes.
      endings.ended(outcome, true);
      averages.ended(outcome.node());
    }
  }

  @Override
  public void sum(int worker, ModelSum sum, long now) {
    averages.add(worker, sum, now);
  }

  @Override
  public void line(String worker, boolean isWarning, String text) {
    LOG.log(isWarning ? Level.WARNING : Level.INFO, "[{0}] {1}", worker, text);
  }

  @Override
  public void part(int worker, int rounds, String part) {
    if (cuts != null) {
      complete(cuts.take(worker, rounds, part));
    }
  }

  private void complete(List<CutParts.Whole> whole) {
    whole.forEach(cut -> averages.afterwards(cut::complete));
  }

  @Override
  public void file(int worker, String name, boolean isLast, byte[] bytes) {
    files.take(worker, name, isLast, bytes);
  }

  @Override
  public void lost(int worker, String reason, long when) {
    lost.put(worker, reason);
    List<Resumption.EndedNode> gone = new ArrayList<>();
    for (int node : placement.nodesOf(worker)) {
      NodeReport report = latest.get(node);
      NodeOutcome outcome =
          new NodeOutcome(
              node,
              NodeOutcome.Status.FAILED,
              reason,
              report == null ? 0 : report.round() + 1,
              0,
              report == null ? new Traffic(0, 0, 0, 0, 0, 0) : report.traffic(),
              report == null ? PhaseTimes.NONE : report.phases());
      ended(outcome);
      gone.add(new Resumption.EndedNode(outcome, true));
    }
    if (cuts != null) {
      complete(cuts.leave(worker, gone));
    }
    writeDeployment();
  }

  /** Its nodes did not end one by one: the run did, and is resumed with them. */
  @Override
  public void endsFor(int worker, String reason) {
    lost.put(worker, reason);
    if (!workers.isEmpty()) {
      writeDeployment();
    }
  }

  @Override
  public void goesOnWithout(int worker) {
    for (int node : placement.nodesOf(worker)) {
      if (!ended.get(node) && !down.get(node)) {
        isDown(node);
        recorder.nodeWentDown(node);
      }
    }
    if (cuts != null) {
      complete(cuts.leaveForAWhile(worker));
    }
  }

  @Override
  public void isSavedAgain(int worker) {
    if (cuts != null) {
      cuts.isBack(worker);
    }
  }

  @Override
  public void comesBack(int worker, IntConsumer ready) {
    if (cuts != null && !nodesComeAndGo) {
      cuts.forget(worker);
    }
    // By then all cuts are complete that were whole.
    averages.afterwards(() -> ready.accept(newestCut()));
  }

  @Override
  public int newestCut() {
    return cuts == null ? 0 : cuts.newest();
  }

  @Override
  public List<InjectedFault> struck() {
    return List.copyOf(recorder.struck());
  }

  @Override
  public String whereabouts(int worker) {
    int round = -1;
    for (int node : placement.nodesOf(worker)) {
      NodeReport report = latest.get(node);
      round = report == null ? round : Math.max(round, report.round());
    }
    return placement.text(worker)
        + (workers.isEmpty() ? ", before the run began" : ", in round " + (round + 2));
  }

  @Override
  public Company.@Nullable Verdict verdict() {
    return endings.hasEnded() ? endings.verdict() : null;
  }

  /** How the run ended, once all that there is has been told. */
  Outcome end(Coordinator.Result result) {
    averages.close();
    if (cuts != null) {
      cuts.end();
    }
    Company.Verdict verdict = result.verdict();
    if (verdict.ending() != Outcome.Ending.DONE) {
      endings.end(verdict.ending(), verdict.reason());
    }
    if (!shareCounts.isEmpty()) {
      target.writeShareCounts(new SharePercentiles(shareCounts));
    }
    return endings.outcome(Optional.empty(), Optional.empty(), result.wallTime());
  }

  @Override
  public void close() {
    averages.close();
    files.close();
  }
}
