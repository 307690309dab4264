package dev.grapevine.runtime.simulated;

import dev.grapevine.network.LinkModel;
import dev.grapevine.runtime.Cuts;
import dev.grapevine.runtime.Endings;
import dev.grapevine.runtime.EndlessWork;
import dev.grapevine.runtime.EntryRounds;
import dev.grapevine.runtime.Lives;
import dev.grapevine.runtime.Mailbox;
import dev.grapevine.runtime.NodeEnd;
import dev.grapevine.runtime.Outcome;
import dev.grapevine.runtime.Plan;
import dev.grapevine.runtime.RestingCut;
import dev.grapevine.runtime.Resumption;
import dev.grapevine.runtime.RunningNode;
import dev.grapevine.runtime.Waits;
import dev.grapevine.runtime.compute.Carriers;
import dev.grapevine.runtime.compute.ComputeModel;
import dev.grapevine.runtime.compute.ComputePool;
import dev.grapevine.runtime.report.AverageCollector;
import dev.grapevine.runtime.report.AverageEvaluation;
import dev.grapevine.runtime.report.NodeOutcome;
import dev.grapevine.runtime.report.Observer;
import dev.grapevine.scratch.ScratchPool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One run on the virtual clock. See the package's description for the baton, which every method
 * needs except where it says otherwise.
 */
final class Simulation implements Cuts.Source {

  /** How often the caller looks whether anything still happens. */
  private static final Duration GLANCE = Duration.ofMillis(50);

  private EventQueue queue = new EventQueue();
  private final TraceHash trace = new TraceHash();
  private final ComputePool pool;
  private final ComputeModel computeModel;
  private final Endings endings;
  private final SimulatedHost[] hosts;

  /** Mailboxes by node, within reach without touching the hosts: most messages wake nobody. */
  private final Mailbox[] mailboxes;

  private final Lives lives;
  private final RunningNode[] nodes;
  private final Wires wires;
  private final Absences absences;
  private final Cuts cuts;
  private final AverageCollector averages;
  private final AverageEvaluation evaluation;
  private final Thread conductor;
  private final AtomicLong turns = new AtomicLong();
  private volatile boolean conductorHasBaton = true;
  private volatile boolean interrupted;
  private long now;

  /** How many nodes rest, and how many of them at the end of a round after which all are saved. */
  private int resting;

  private int atCut;
  private long cutsTaken;
  private int cutRound;

  /** How many nodes have not ended. */
  private int living;

  /** How many have come to the end of their protocol. */
  private int finished;

  private boolean stopping;
  private @Nullable Throwable defect;

  Simulation(
      Plan plan, Observer observer, ComputePool pool, ComputeModel computeModel, LinkModel links) {
    this.pool = pool;
    this.computeModel = computeModel;
    this.lives = new Lives(plan);
    this.cuts = plan.saving().cuts();
    Resumption from = plan.saving().from();
    now = from.moment().time();
    from.moment().trace().ifPresent(trace::restore);
    int count = plan.nodes();
    endings = new Endings(plan, observer);
    evaluation = new AverageEvaluation(observer);
    endings.watch(evaluation);
    averages =
        new AverageCollector(
            count,
            IntStream.range(0, count).toArray(),
            observer,
            AverageCollector.evaluating(evaluation, pool));
    ScratchPool scratches = new ScratchPool();
    hosts = new SimulatedHost[count];
    nodes = new RunningNode[count];
    mailboxes = new Mailbox[count];
    wires = new Wires(this, links, lives, hosts, mailboxes);
    for (int id = 0; id < count; id++) {
      SimulatedHost host = new SimulatedHost(id, this);
      hosts[id] = host;
      mailboxes[id] = host.mailbox();
      nodes[id] = new RunningNode(plan, host, observer, averages, scratches);
    }
    absences =
        new Absences(
            this,
            wires,
            lives,
            hosts,
            nodes,
            mailboxes,
            averages,
            observer,
            new EntryRounds(plan, lives));
    living = count;
    from.ended().forEach(this::endBefore);
    absences.begin(from.firstRound());
    conductor = Thread.ofVirtual().name("simulation").unstarted(this::conduct);
  }

  /**
   * Runs it to its end. Called without the baton, on the caller's thread.
   *
   * @param stallAfter how long own code may compute while nothing else happens, in ns
   */
  Endings run(long stallAfter) {
    conductor.start();
    boolean wasInterrupted = false;
    EndlessWork endless = new EndlessWork();
    while (true) {
      try {
        if (conductor.join(GLANCE)) {
          break;
        }
        boolean stopped = interrupted || endings.hasEndedAlready();
        long patience = stopped ? EndlessWork.GRACE : stallAfter;
        long clock = System.nanoTime();
        if (endless.quietFor(turns.get() + pool.completed(), clock) > patience) {
          endless.forgive(clock);
          Optional<String> culprit = endlessNode();
          if (culprit.isPresent()) {
            endings.end(
                interrupted ? Outcome.Ending.INTERRUPTED : Outcome.Ending.STALLED,
                EndlessWork.reason(culprit.get(), patience));
            interrupted = true;
            pool.abandon();
            Carriers.replace(
                (int) Arrays.stream(hosts).filter(SimulatedHost::holdsCarrier).count());
            return endings;
          }
        }
      } catch (InterruptedException e) {
        wasInterrupted = true;
        interrupted = true;
        pool.stop();
      }
    }
    if (wasInterrupted) {
      // Joining one that has ended does not notice that it was asked twice.
      Thread.interrupted();
      endings.end(Outcome.Ending.INTERRUPTED, "the run was interrupted");
    }
    if (defect != null) {
      throw new IllegalStateException("the simulation broke at " + now + " ns", defect);
    }
    return endings;
  }

  private Optional<String> endlessNode() {
    return Arrays.stream(hosts).flatMap(host -> host.endlessWork().stream()).findFirst();
  }

  private void endBefore(Resumption.EndedNode ended) {
    int id = ended.outcome().node();
    living--;
    hosts[id].endBefore();
    wires.setDeaf(id, true);
    averages.ended(id, now);
    lives.ended(id);
    if (ended.told() || ended.outcome().status() == NodeOutcome.Status.LEFT) {
      for (Mailbox mailbox : mailboxes) {
        mailbox.gone(id);
      }
    }
  }

  private void conduct() {
    cuts.begin(this);
    begin();
    SimulatedHost first = next();
    while (first != null) {
      conductorHasBaton = false;
      first.resume();
      waitForBaton();
      first = abandoned();
    }
    if (living > 0) {
      if (!interrupted && !endings.hasEnded() && absences.down() < living) {
        endings.end(Outcome.Ending.STALLED, describeWaits());
      }
      stopAll();
    }
  }

  /** Fills the queue: at the beginning, after a cut and where a cut is resumed, all alike. */
  private void begin() {
    wires.scheduleChange();
    absences.schedule();
    for (SimulatedHost host : hosts) {
      if (!host.hasEnded() && !host.isDown()) {
        queue.push(now, _ -> host);
      }
    }
  }

  /** A node begins to rest. */
  void comesToRest(SimulatedHost host) {
    resting++;
    if (host.isAtCut()) {
      atCut++;
      cutRound = host.cutRound();
    }
  }

  private void leavesRest(SimulatedHost host) {
    if (host.rests()) {
      resting--;
      atCut -= host.isAtCut() ? 1 : 0;
      host.endRest();
    }
  }

  /** How often all nodes have been saved. */
  long cuts() {
    return cutsTaken;
  }

  /** The round after which nodes wait to be saved, -1 if none does. */
  int awaitedCut() {
    return atCut > 0 ? cutRound : -1;
  }

  @Override
  public Cuts.Moment moment() {
    return new Cuts.Moment(now, OptionalLong.of(trace.state()));
  }

  @Override
  public void whenRecorded(int round, Runnable then) {
    evaluation.whenRecorded(round, then);
  }

  /** Whether nodes wait to be saved and nothing can happen before they are. */
  private boolean isQuiet() {
    return atCut > 0 && wires.areEmpty() && resting + absences.down() == living;
  }

  /**
   * Saves all nodes, with no message on its way. All that is left in the queue are timers of waits
   * that begin anew, so that it is filled as where the cut is resumed.
   */
  private void cut() throws InterruptedException {
    List<RunningNode> present = new ArrayList<>(living);
    for (SimulatedHost host : hosts) {
      if (!host.hasEnded()) {
        present.add(nodes[host.id()]);
        host.beginAnew();
      }
    }
    RestingCut.take(cuts, cutRound, present, pool);
    cutsTaken++;
    resting = 0;
    atCut = 0;
    queue = new EventQueue();
    wires.beginAnew();
    begin();
  }

  /** Ends the run with the next turn, since nothing comes of it. */
  void giveUp(String reason) {
    endings.end(Outcome.Ending.STALLED, reason);
  }

  /** Before all is given up: a node that waits for one who has finished, to be told so. */
  private @Nullable SimulatedHost abandoned() {
    if (living == 0 || interrupted || defect != null || endings.hasEnded()) {
      return null;
    }
    return Arrays.stream(hosts).filter(SimulatedHost::isAbandoned).findFirst().orElse(null);
  }

  private String describeWaits() {
    Waits waits = new Waits();
    for (SimulatedHost host : hosts) {
      if (!host.hasEnded()) {
        host.describeWait(waits);
      }
    }
    return waits.report();
  }

  /** Lets each node run once more, in order; whatever it does next throws. */
  private void stopAll() {
    stopping = true;
    for (SimulatedHost host : hosts) {
      if (host.isDown() && !host.hasEnded()) {
        absences.staysDown(host.id());
      } else if (!host.hasEnded()) {
        conductorHasBaton = false;
        host.resume();
        waitForBaton();
      }
    }
  }

  private void waitForBaton() {
    while (!conductorHasBaton) {
      LockSupport.park(this);
      Thread.interrupted();
    }
  }

  private void resumeConductor() {
    conductorHasBaton = true;
    LockSupport.unpark(conductor);
  }

  RunningNode node(int id) {
    return nodes[id];
  }

  Lives lives() {
    return lives;
  }

  /** Notes how a node's life came to its end; called on the node's thread. */
  void lifeEnded(int id, NodeEnd end) {
    if (absences.isFollowed(id, end)) {
      absences.goDown(id);
    } else {
      ended(id, end);
    }
  }

  /** Notes how a node's protocol came to its end; called on the node's thread. */
  void ended(int id, NodeEnd end) {
    living--;
    if (end.status() == NodeOutcome.Status.FINISHED) {
      finished++;
      wires.setFinished(id);
    }
    lives.ended(id);
    trace.add(now);
    trace.add((long) end.status().name().hashCode() << 32 | id);
    if (endings.ended(nodes[id].outcome(end), end.silent())) {
      wires.sayGoodbye(id);
    }
  }

  /** Lets events happen until a node can go on; null when there is none. */
  private @Nullable SimulatedHost next() {
    // Only the holder of the baton counts; those who look on may be a little late.
    turns.lazySet(turns.getPlain() + 1);
    try {
      if (endings.hasEnded()) {
        return null;
      }
      // Only what a node does can end the run, so that once is enough to ask.
      while (living > 0 && !interrupted && !(finished > 0 && absences.down() == living)) {
        if (isQuiet()) {
          cut();
        }
        Event event = queue.pop();
        if (event == null) {
          return null;
        }
        now = queue.time();
        SimulatedHost runnable = event.happen(this);
        // What a node waited for may happen after a handler's failure has ended it.
        if (runnable != null && !runnable.hasEnded() && !runnable.isDown()) {
          trace.add(now ^ ((long) runnable.id() << 40));
          leavesRest(runnable);
          return runnable;
        }
      }
    } catch (InterruptedException | CancellationException stopped) {
      // The run ends while its nodes are saved; the cut before stays the newest.
      return null;
    } catch (RuntimeException | Error thrown) {
      defect = thrown;
    }
    return null;
  }

  /** Gives the baton to whoever comes next; false if that is the node that had it. */
  boolean passOn(SimulatedHost from) {
    SimulatedHost next = next();
    if (next == from) {
      return false;
    }
    from.dropBaton();
    if (next == null) {
      resumeConductor();
    } else {
      next.resume();
    }
    return true;
  }

  /** Gives the baton away for good. */
  void passOn() {
    SimulatedHost next = stopping ? null : next();
    if (next == null) {
      resumeConductor();
    } else {
      next.resume();
    }
  }

  void push(long time, Event event) {
    queue.push(time, event);
  }

  Wires wires() {
    return wires;
  }

  Absences absences() {
    return absences;
  }

  long now() {
    return now;
  }

  boolean isStopping() {
    return stopping;
  }

  ComputePool pool() {
    return pool;
  }

  ComputeModel computeModel() {
    return computeModel;
  }

  TraceHash trace() {
    return trace;
  }

  boolean hasEnded(int[] ids) {
    for (int id : ids) {
      if (hosts[id].hasEnded()) {
        return true;
      }
    }
    return false;
  }
}
