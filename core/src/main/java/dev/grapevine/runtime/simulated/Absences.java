package dev.grapevine.runtime.simulated;

import dev.grapevine.runtime.Entry;
import dev.grapevine.runtime.EntryRounds;
import dev.grapevine.runtime.Lives;
import dev.grapevine.runtime.Mailbox;
import dev.grapevine.runtime.NodeEnd;
import dev.grapevine.runtime.RunningNode;
import dev.grapevine.runtime.churn.ComesBackWith;
import dev.grapevine.runtime.report.AverageCollector;
import dev.grapevine.runtime.report.NodeOutcome;
import dev.grapevine.runtime.report.Observer;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Nodes that go down and come back, as their {@link Lives} say. */
final class Absences {

  private static final System.Logger LOG = System.getLogger(Absences.class.getName());

  private final Simulation simulation;
  private final Wires wires;
  private final Lives lives;
  private final SimulatedHost[] hosts;
  private final List<RunningNode> nodes;
  private final Mailbox[] mailboxes;
  private final AverageCollector averages;
  private final Observer observer;
  private final EntryRounds entryRounds;

  /** How many nodes that have not ended are down. */
  private int down;

  Absences(
      Simulation simulation,
      Wires wires,
      Lives lives,
      SimulatedHost[] hosts,
      RunningNode[] nodes,
      Mailbox[] mailboxes,
      AverageCollector averages,
      Observer observer,
      EntryRounds entryRounds) {
    this.simulation = simulation;
    this.wires = wires;
    this.lives = lives;
    this.hosts = hosts;
    this.nodes = List.of(nodes);
    this.mailboxes = mailboxes;
    this.averages = averages;
    this.observer = observer;
    this.entryRounds = entryRounds;
  }

  int down() {
    return down;
  }

  /** Who is down where the run begins. */
  void begin(int firstRound) {
    if (lives.isUsed()) {
      lives.begin(simulation.now(), firstRound);
      for (SimulatedHost host : hosts) {
        if (lives.isDown(host.id()) && !host.hasEnded()) {
          isDown(host);
        }
      }
    }
  }

  /** Lets happen to all nodes what their plans say. */
  void schedule() {
    for (SimulatedHost host : hosts) {
      if (lives.isUsed() && !host.hasEnded()) {
        planOrLeave(host.id());
      }
    }
  }

  /** Whether a life that came to its end is followed by another. */
  boolean isFollowed(int id, NodeEnd end) {
    if (hosts[id].goesDown()
        && end.status() == NodeOutcome.Status.STOPPED
        && !simulation.isStopping()) {
      return true;
    }
    if (end.failed() && !end.silent() && lives.mends(id)) {
      LOG.log(Level.WARNING, "{0}; it goes on alone with its newest checkpoint", end.reason());
      return true;
    }
    return false;
  }

  void goDown(int id) {
    lives.wentDown(id);
    hosts[id].awaitWork();
    isDown(hosts[id]);
    simulation.trace().add(simulation.now());
    simulation.trace().add((long) "DOWN".hashCode() << 32 | id);
    observer.nodeWentDown(id);
    wakeWhoWaits();
    planOrLeave(id);
    int first = lives.isNobodyUp() ? lives.firstBack() : -1;
    if (first >= 0) {
      pushNow(_ -> lives.isDown(first) ? comeBack(first, Entry.ANY_ROUND) : null);
    }
  }

  /** Counts a node as down and tells all others. */
  private void isDown(SimulatedHost host) {
    int id = host.id();
    host.beginDown();
    down++;
    wires.setDeaf(id, true);
    averages.ended(id, simulation.now());
    for (Mailbox mailbox : mailboxes) {
      mailbox.gone(id, nodes.get(id).ownRound());
    }
  }

  /** A node that is down does not come back. */
  void staysDown(int id) {
    down--;
    hosts[id].endBefore();
    simulation.ended(
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
        pushNow(_ -> host.isWokenByPeer() ? host : null);
      }
    }
  }

  /** One that has left for good ends. */
  private void planOrLeave(int id) {
    if (lives.isForGood(id)) {
      staysDown(id);
    } else {
      plan(id);
    }
  }

  /** Lets happen to a node what its plan says, or lets it come back at once. */
  private void plan(int id) {
    if (lives.isMending(id)) {
      pushNow(_ -> lives.isMending(id) ? comeBack(id, Entry.ANY_ROUND) : null);
    } else {
      schedule(id);
    }
  }

  private void schedule(int id) {
    OptionalLong next = lives.nextChange(id);
    if (next.isPresent()) {
      int version = lives.version(id);
      simulation.push(
          Math.max(simulation.now(), next.getAsLong()),
          _ -> lives.version(id) == version ? change(id) : null);
    }
  }

  private @Nullable SimulatedHost change(int id) {
    return hosts[id].isDown() ? comeBack(id, Entry.ANY_ROUND) : hosts[id].beGone();
  }

  /** Lets a node come back, in the turn of another that has just begun {@code round}. */
  void bringBack(int id, int round) {
    SimulatedHost back = comeBack(id, round);
    if (back != null) {
      pushNow(_ -> back);
    }
  }

  private @Nullable SimulatedHost comeBack(int id, int round) {
    if (entryRounds.isTooLate(nodes)) {
      return null;
    }
    ComesBackWith with = lives.comesBack(id);
    lives.futility().ifPresent(simulation::giveUp);
    down--;
    hosts[id].comeBack();
    wires.setDeaf(id, false);
    Entry entry = with == ComesBackWith.NEIGHBOUR ? null : join(id, round);
    nodes.get(id).beginAnew(with, entry);
    simulation.trace().add(simulation.now());
    simulation.trace().add((long) "BACK".hashCode() << 32 | id);
    schedule(id);
    return hosts[id];
  }

  /** A node takes part again, from a round on that nobody has begun yet. */
  Entry join(int id, int round) {
    averages.isBack(id);
    Entry entry = entryRounds.entry(id, nodes, simulation.awaitedCut(), round);
    nodes.get(id).enterAt(entry, simulation.now());
    for (Mailbox mailbox : mailboxes) {
      mailbox.back(id, entry.firstRound());
    }
    wakeWhoWaits();
    return entry;
  }

  private void pushNow(Event event) {
    simulation.push(simulation.now(), event);
  }
}
