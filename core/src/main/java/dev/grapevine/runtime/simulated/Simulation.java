package dev.grapevine.runtime.simulated;

import dev.grapevine.message.Message;
import dev.grapevine.message.Payload;
import dev.grapevine.network.LinkModel;
import dev.grapevine.runtime.Cuts;
import dev.grapevine.runtime.Endings;
import dev.grapevine.runtime.EndlessWork;
import dev.grapevine.runtime.Lives;
import dev.grapevine.runtime.Mailbox;
import dev.grapevine.runtime.NodeEnd;
import dev.grapevine.runtime.Outcome;
import dev.grapevine.runtime.Plan;
import dev.grapevine.runtime.RestingCut;
import dev.grapevine.runtime.Resumption;
import dev.grapevine.runtime.RunningNode;
import dev.grapevine.runtime.Waits;
import dev.grapevine.runtime.churn.ComesBackWith;
import dev.grapevine.runtime.compute.Carriers;
import dev.grapevine.runtime.compute.ComputeModel;
import dev.grapevine.runtime.compute.ComputePool;
import dev.grapevine.runtime.report.AverageCollector;
import dev.grapevine.runtime.report.AverageEvaluation;
import dev.grapevine.runtime.report.NodeOutcome;
import dev.grapevine.runtime.report.Observer;
import dev.grapevine.scratch.ScratchPool;
import java.lang.System.Logger.Level;
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

  private static final System.Logger LOG = System.getLogger(Simulation.class.getName());

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

  /** Nodes that hear nothing, because they have ended or are down. */
  private final boolean[] deaf;

  /** Nodes that have come to the end of their protocol. */
  private final boolean[] hasFinished;

  private final Lives lives;
  private final RunningNode[] nodes;
  private final AccessLink[] uplinks;
  private final AccessLink[] downlinks;
  private final Observer observer;
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

  /** Nodes that have not ended, and how many of them are down. */
  private int living;

  private int down;

  /** How many have come to the end of their protocol. */
  private int finished;

  private boolean stopping;
  private @Nullable Throwable defect;

  Simulation(
      Plan plan, Observer observer, ComputePool pool, ComputeModel computeModel, LinkModel links) {
    this.pool = pool;
    this.computeModel = computeModel;
    this.links = links;
    this.lives = new Lives(plan);
    this.observer = observer;
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
    deaf = new boolean[count];
    hasFinished = new boolean[count];
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
    if (lives.isUsed()) {
      lives.begin(now, from.firstRound());
      for (int id = 0; id < count; id++) {
        if (lives.isDown(id) && !hosts[id].hasEnded()) {
          hosts[id].beginDown();
          isDown(id);
        }
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

  private void endBefore(Resumption.EndedNode ended) {
    int id = ended.outcome().node();
    living--;
    hosts[id].endBefore();
    deaf[id] = true;
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
      if (!interrupted && !endings.hasEnded() && down < living) {
        endings.end(Outcome.Ending.STALLED, describeWaits());
      }
      stopAll();
    }
  }

  /** Fills the queue: at the beginning, after a cut and where a cut is resumed, all alike. */
  private void begin() {
    scheduleChange();
    for (SimulatedHost host : hosts) {
      if (lives.isUsed() && !host.hasEnded()) {
        plan(host.id());
      }
    }
    for (SimulatedHost host : hosts) {
      if (!host.hasEnded() && !host.isDown()) {
        queue.push(now, simulation -> host);
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
    return atCut > 0 && flying == 0 && resting + down == living;
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
        staysDown(host.id());
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

  /** How long until the next message is through a node's uplink; 0 if there is none on it. */
  long sendingFor(int id) {
    return uplinks.length == 0 ? 0 : uplinks[id].untilDeparture(now);
  }

  RunningNode node(int id) {
    return nodes[id];
  }

  Lives lives() {
    return lives;
  }

  /** Notes how a node's life came to its end; called on the node's thread. */
  void lifeEnded(int id, NodeEnd end) {
    if (hosts[id].goesDown() && end.status() == NodeOutcome.Status.STOPPED && !stopping) {
      lives.wentDown(id);
      goDown(id);
      return;
    }
    if (end.failed() && !end.silent() && lives.mends(id)) {
      LOG.log(Level.WARNING, "{0}; it goes on alone with its newest checkpoint", end.reason());
      lives.wentDown(id);
      goDown(id);
      return;
    }
    ended(id, end);
  }

  private void goDown(int id) {
    SimulatedHost host = hosts[id];
    host.awaitWork();
    host.beginDown();
    isDown(id);
    trace.add(now);
    trace.add((long) "DOWN".hashCode() << 32 | id);
    observer.nodeWentDown(id);
    wakeWhoWaits();
    if (lives.isForGood(id)) {
      staysDown(id);
    } else {
      plan(id);
    }
    int first = lives.isNobodyUp() ? lives.firstBack() : -1;
    if (first >= 0) {
      queue.push(now, simulation -> lives.isDown(first) ? comeBack(first, Lives.ANY_ROUND) : null);
    }
  }

  /** Counts a node as down and tells all others. */
  private void isDown(int id) {
    down++;
    deaf[id] = true;
    averages.ended(id, now);
    for (Mailbox mailbox : mailboxes) {
      mailbox.gone(id, nodes[id].ownRound());
    }
  }

  /** A node that is down does not come back. */
  private void staysDown(int id) {
    down--;
    hosts[id].endBefore();
    ended(
        id,
        new NodeEnd(
            NodeOutcome.Status.LEFT,
            lives.isForGood(id)
                ? "node %d left for good".formatted(id)
                : "node %d was down when the run ended".formatted(id),
            false));
  }

  /** Those who may go on now that a peer went or came do so next, in order. */
  private void wakeWhoWaits() {
    for (SimulatedHost host : hosts) {
      if (host.isWokenByPeer()) {
        queue.push(now, simulation -> host.isWokenByPeer() ? host : null);
      }
    }
  }

  /** Lets happen to a node what its plan says, or lets it come back at once. */
  private void plan(int id) {
    if (lives.isMending(id)) {
      queue.push(now, simulation -> lives.isMending(id) ? comeBack(id, Lives.ANY_ROUND) : null);
    } else {
      schedule(id);
    }
  }

  private void schedule(int id) {
    OptionalLong next = lives.nextChange(id);
    if (next.isPresent()) {
      int version = lives.version(id);
      queue.push(
          Math.max(now, next.getAsLong()),
          simulation -> lives.version(id) == version ? change(id) : null);
    }
  }

  private @Nullable SimulatedHost change(int id) {
    return hosts[id].isDown() ? comeBack(id, Lives.ANY_ROUND) : hosts[id].beGone();
  }

  /** Lets a node come back, in the turn of another that has just begun {@code round}. */
  void bringBack(int id, int round) {
    SimulatedHost back = comeBack(id, round);
    if (back != null) {
      queue.push(now, simulation -> back);
    }
  }

  private @Nullable SimulatedHost comeBack(int id, int round) {
    if (lives.isTooLate(List.of(nodes))) {
      return null;
    }
    ComesBackWith with = lives.comesBack(id);
    down--;
    hosts[id].comeBack();
    Lives.Entry entry = with == ComesBackWith.NEIGHBOUR ? null : join(id, round);
    nodes[id].beginAnew(with, entry);
    trace.add(now);
    trace.add((long) "BACK".hashCode() << 32 | id);
    schedule(id);
    return hosts[id];
  }

  /** A node takes part again, from a round on that nobody has begun yet. */
  Lives.Entry join(int id, int round) {
    averages.isBack(id);
    Lives.Entry entry = lives.entry(id, List.of(nodes), atCut > 0 ? cutRound : -1, round, cuts);
    nodes[id].enterAt(entry.firstRound(), now);
    for (Mailbox mailbox : mailboxes) {
      mailbox.back(id, entry.firstRound());
    }
    wakeWhoWaits();
    return entry;
  }

  /** Notes how a node's protocol came to its end; called on the node's thread. */
  private void ended(int id, NodeEnd end) {
    living--;
    hasFinished[id] = end.status() == NodeOutcome.Status.FINISHED;
    finished += hasFinished[id] ? 1 : 0;
    lives.ended(id);
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
      while (living > 0 && !interrupted && !(finished > 0 && down == living)) {
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

  void send(int receiver, Message message, int checksum, long ordinal, int incarnation) {
    long latency = links.latency(message.sender(), receiver, now, ordinal);
    if (latency == LinkModel.LOST) {
      return;
    }
    if (deaf[receiver] && hosts[receiver].hasEnded()) {
      noteFinished(message.sender(), message.tag(), receiver);
      return;
    }
    flying++;
    if (uplinks.length == 0) {
      queue.push(
          now + latency, new Flight(message, receiver, checksum, incarnation, mailboxes[receiver]));
    } else {
      SharedFlight flight =
          new SharedFlight(
              message,
              receiver,
              checksum,
              incarnation,
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
      int sender,
      int receiver,
      int tag,
      int channel,
      int round,
      Payload payload,
      int checksum,
      int incarnation) {
    flying--;
    trace.add(now);
    trace.add((long) sender << 32 | receiver);
    trace.add((long) round << 40 | (long) tag << 32 | (checksum & 0xFFFFFFFFL));
    if (lives.isUsed() && isOfAnotherLife(sender, receiver, incarnation)) {
      lives.lost(sender);
      return null;
    }
    if (deaf[receiver]) {
      noteFinished(sender, tag, receiver);
      return null;
    }
    if (!mailboxes[receiver].put(sender, tag, channel, round, payload)) {
      return null;
    }
    SimulatedHost host = hosts[receiver];
    return host.isWokenBy(tag) ? host : null;
  }

  private boolean isOfAnotherLife(int sender, int receiver, int incarnation) {
    return hosts[receiver].isDown() || lives.incarnation(sender, receiver) != incarnation;
  }

  /** Notes that a message went to a node that has finished, whose answer may be waited for. */
  private void noteFinished(int sender, int tag, int receiver) {
    if (tag != Message.EXCHANGE && hasFinished[receiver]) {
      mailboxes[sender].finished(receiver);
    }
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
