package dev.grapevine.runtime.simulated;

import dev.grapevine.message.Message;
import dev.grapevine.message.Payload;
import dev.grapevine.network.LinkModel;
import dev.grapevine.runtime.Cuts;
import dev.grapevine.runtime.Endings;
import dev.grapevine.runtime.EndlessWork;
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
import dev.grapevine.runtime.fault.Availability;
import dev.grapevine.runtime.report.AverageCollector;
import dev.grapevine.runtime.report.AverageEvaluation;
import dev.grapevine.runtime.report.NodeOutcome;
import dev.grapevine.runtime.report.Observer;
import dev.grapevine.scratch.ScratchPool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
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
  private final LinkModel links;
  private final Endings endings;
  private final SimulatedHost[] hosts;

  /** Mailboxes by node, within reach without touching the hosts: most messages wake nobody. */
  private final Mailbox[] mailboxes;

  /** Nodes that hear nothing, because they have ended or are away. */
  private final boolean[] deaf;

  private final RunningNode[] nodes;
  private final AccessLink[] uplinks;
  private final AccessLink[] downlinks;
  private final Availability availability;
  private final Cuts cuts;
  private final AverageCollector averages;
  private final AverageEvaluation evaluation;
  private final Thread conductor;
  private final AtomicLong turns = new AtomicLong();
  private volatile boolean conductorHasBaton = true;
  private volatile boolean interrupted;
  private long now;

  /** How many messages have been on a shared link so far. */
  private long flights;

  /** How many messages and goodbyes are on their way. */
  private long flying;

  /** How many nodes rest, and how many of them at the end of a round after which all are saved. */
  private int resting;

  private int atCut;
  private long cutsTaken;
  private int cutRound;

  /** Whether changes that are over have been taken in. */
  private boolean hasPast;

  private int living;
  private boolean stopping;
  private @Nullable Throwable defect;

  Simulation(
      Plan plan,
      Observer observer,
      ComputePool pool,
      ComputeModel computeModel,
      LinkModel links,
      Availability availability) {
    this.pool = pool;
    this.computeModel = computeModel;
    this.links = links;
    this.availability = availability;
    this.cuts = plan.saving().cuts();
    Resumption from = plan.saving().from();
    now = from.moment().time();
    from.moment().trace().ifPresent(trace::restore);
    hasPast = from != Resumption.NONE;
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
    deaf = new boolean[count];
    uplinks = new AccessLink[links.limitsBandwidth() ? count : 0];
    downlinks = new AccessLink[uplinks.length];
    for (int id = 0; id < count; id++) {
      SimulatedHost host = new SimulatedHost(id, this);
      hosts[id] = host;
      mailboxes[id] = host.mailbox();
      nodes[id] = new RunningNode(plan, host, observer, averages, scratches);
      if (links.limitsBandwidth()) {
        uplinks[id] = new AccessLink(true, links.uplink(id, now));
        downlinks[id] = new AccessLink(false, links.downlink(id, now));
      }
    }
    living = count;
    from.ended().forEach(this::endBefore);
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
    deaf[id] = true;
    averages.ended(id, now);
    if (ended.told()) {
      for (Mailbox mailbox : mailboxes) {
        mailbox.gone(id);
      }
    }
  }

  private void conduct() {
    cuts.begin(this);
    begin();
    SimulatedHost first = next();
    if (first != null) {
      conductorHasBaton = false;
      first.resume();
      waitForBaton();
    }
    if (living > 0) {
      if (!interrupted && !endings.hasEnded() && !onlyAbsentAreLeft()) {
        endings.end(Outcome.Ending.STALLED, describeWaits());
      }
      stopAll();
    }
  }

  /** Fills the queue: at the beginning, after a cut and where a cut is resumed, all alike. */
  private void begin() {
    scheduleChange();
    BitSet known = new BitSet();
    for (Availability.Change change : availability.changes()) {
      SimulatedHost host = hosts[change.node()];
      boolean isPast = hasPast && change.time() <= now;
      if (isPast) {
        host.setAway(!change.joins());
      } else {
        if (!known.get(change.node()) && change.joins() && change.time() > now) {
          host.setAway(true);
        }
        schedule(change);
      }
      known.set(change.node());
    }
    for (SimulatedHost host : hosts) {
      if (!host.hasEnded()) {
        queue.push(now, simulation -> host);
      }
    }
    hasPast = true;
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

  @Override
  public Cuts.Moment moment() {
    return new Cuts.Moment(now, OptionalLong.of(trace.state()));
  }

  @Override
  public boolean hasRecorded(int round) {
    return evaluation.hasRecorded(round);
  }

  /** Whether nodes wait to be saved and nothing can happen before they are. */
  private boolean isQuiet() {
    return atCut > 0 && flying == 0 && resting + lost() == living;
  }

  /** Nodes that left for good while they did not rest; nobody waits for them. */
  private int lost() {
    int lost = 0;
    if (!availability.changes().isEmpty()) {
      for (SimulatedHost host : hosts) {
        lost += !host.hasEnded() && !host.rests() && hasLeftForGood(host) ? 1 : 0;
      }
    }
    return lost;
  }

  private boolean hasLeftForGood(SimulatedHost host) {
    return host.isAway()
        && availability.changes().stream()
            .noneMatch(
                change -> change.node() == host.id() && change.joins() && change.time() > now);
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
    flights = 0;
    queue = new EventQueue();
    for (int id = 0; id < uplinks.length; id++) {
      uplinks[id].setCapacity(this, links.uplink(id, now));
      downlinks[id].setCapacity(this, links.downlink(id, now));
    }
    begin();
  }

  private boolean onlyAbsentAreLeft() {
    return Arrays.stream(hosts).allMatch(host -> host.hasEnded() || host.isAway());
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
      if (!host.hasEnded()) {
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

  /** How long until the next message is through a node's uplink; 0 if there is none on it. */
  long sendingFor(int id) {
    return uplinks.length == 0 ? 0 : uplinks[id].untilDeparture(now);
  }

  RunningNode node(int id) {
    return nodes[id];
  }

  /** Notes how a node's protocol came to its end; called on the node's thread. */
  void ended(int id, NodeEnd how) {
    NodeEnd end = how;
    if (end.status() == NodeOutcome.Status.STOPPED && hosts[id].isAway()) {
      end =
          new NodeEnd(
              NodeOutcome.Status.LEFT, "node %d left and did not come back".formatted(id), false);
    }
    living--;
    trace.add(now);
    trace.add((long) end.status().name().hashCode() << 32 | id);
    if (endings.ended(nodes[id].outcome(end), end.silent())) {
      sayGoodbye(id);
    }
  }

  /** May overtake what the node has sent before; mailboxes take that all the same. */
  private void sayGoodbye(int id) {
    for (SimulatedHost peer : hosts) {
      if (peer.id() != id && !peer.hasEnded()) {
        long latency = Math.max(0, links.latency(id, peer.id(), now, Long.MAX_VALUE));
        flying++;
        queue.push(
            now + latency,
            simulation -> {
              flying--;
              return peer.hearGoodbye(id) ? peer : null;
            });
      }
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
      while (living > 0 && !interrupted) {
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
        if (runnable != null && !runnable.hasEnded() && !runnable.isAwayWhenCalled()) {
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

  /** Holds a message back; it is on its way all the same. */
  void sendLater(long at, Runnable sending) {
    flying++;
    queue.push(
        at,
        simulation -> {
          flying--;
          sending.run();
          return null;
        });
  }

  void send(int receiver, Message message, int checksum, long ordinal) {
    long latency = links.latency(message.sender(), receiver, now, ordinal);
    if (latency == LinkModel.LOST || (deaf[receiver] && hosts[receiver].hasEnded())) {
      return;
    }
    flying++;
    if (uplinks.length == 0) {
      queue.push(now + latency, new Flight(message, receiver, checksum, mailboxes[receiver]));
    } else {
      SharedFlight flight =
          new SharedFlight(
              message,
              receiver,
              checksum,
              latency,
              flights++,
              downlinks[receiver],
              mailboxes[receiver]);
      uplinks[message.sender()].add(this, flight);
      queue.push(now + latency, flight);
    }
  }

  /** Lets a message arrive; returns the receiver if it can go on because of it. */
  @Nullable SimulatedHost deliver(
      int sender, int receiver, int tag, int channel, int round, Payload payload, int checksum) {
    flying--;
    trace.add(now);
    trace.add((long) sender << 32 | receiver);
    trace.add((long) round << 40 | (long) tag << 32 | (checksum & 0xFFFFFFFFL));
    if (deaf[receiver] || !mailboxes[receiver].put(sender, tag, channel, round, payload)) {
      return null;
    }
    SimulatedHost host = hosts[receiver];
    return host.isWokenBy(tag) ? host : null;
  }

  void setDeaf(int id, boolean isDeaf) {
    deaf[id] = isDeaf;
  }

  private void changeCapacities() {
    for (int id = 0; id < hosts.length; id++) {
      uplinks[id].setCapacity(this, links.uplink(id, now));
      downlinks[id].setCapacity(this, links.downlink(id, now));
    }
    scheduleChange();
  }

  private void scheduleChange() {
    long next = links.nextChange(now);
    if (next != Long.MAX_VALUE && uplinks.length > 0) {
      queue.push(
          next,
          simulation -> {
            changeCapacities();
            return null;
          });
    }
  }

  private void schedule(Availability.Change change) {
    queue.push(change.time(), simulation -> hosts[change.node()].setAway(!change.joins()));
  }

  void push(long time, Event event) {
    queue.push(time, event);
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
