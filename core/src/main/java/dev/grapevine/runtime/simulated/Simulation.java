package dev.grapevine.runtime.simulated;

import dev.grapevine.message.Message;
import dev.grapevine.message.Payload;
import dev.grapevine.network.LinkModel;
import dev.grapevine.runtime.Endings;
import dev.grapevine.runtime.EndlessWork;
import dev.grapevine.runtime.Mailbox;
import dev.grapevine.runtime.NodeEnd;
import dev.grapevine.runtime.Outcome;
import dev.grapevine.runtime.Plan;
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
import java.util.Arrays;
import java.util.BitSet;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One run on the virtual clock. See the package's description for the baton, which every method
 * needs except where it says otherwise.
 */
final class Simulation {

  /** How often the caller looks whether anything still happens. */
  private static final Duration GLANCE = Duration.ofMillis(50);

  private final EventQueue queue = new EventQueue();
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
  private final Thread conductor;
  private final AtomicLong turns = new AtomicLong();
  private volatile boolean conductorHasBaton = true;
  private volatile boolean interrupted;
  private long now;

  /** How many messages have been on a shared link so far. */
  private long flights;

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
    int count = plan.nodes();
    endings = new Endings(plan.policy(), observer, count);
    AverageEvaluation evaluation = new AverageEvaluation(observer);
    endings.watch(evaluation);
    AverageCollector averages =
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
        uplinks[id] = new AccessLink(true, links.uplink(id, 0));
        downlinks[id] = new AccessLink(false, links.downlink(id, 0));
      }
    }
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

  private void conduct() {
    living = hosts.length;
    scheduleChange();
    BitSet known = new BitSet();
    for (Availability.Change change : availability.changes()) {
      if (!known.get(change.node()) && change.joins() && change.time() > 0) {
        hosts[change.node()].setAway(true);
      }
      known.set(change.node());
      schedule(change);
    }
    for (SimulatedHost host : hosts) {
      queue.push(0, host);
    }
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
        queue.push(now + latency, simulation -> peer.hearGoodbye(id) ? peer : null);
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
        Event event = queue.pop();
        if (event == null) {
          return null;
        }
        now = queue.time();
        SimulatedHost runnable = event.happen(this);
        // What a node waited for may happen after a handler's failure has ended it.
        if (runnable != null && !runnable.hasEnded() && !runnable.isAwayWhenCalled()) {
          trace.add(now ^ ((long) runnable.id() << 40));
          return runnable;
        }
      }
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

  void send(int receiver, Message message, int checksum, long ordinal) {
    long latency = links.latency(message.sender(), receiver, now, ordinal);
    if (latency == LinkModel.LOST || (deaf[receiver] && hosts[receiver].hasEnded())) {
      return;
    }
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
