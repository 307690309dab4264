package dev.grapevine.runtime;

import dev.grapevine.runtime.churn.Churn;
import dev.grapevine.runtime.churn.ComesBackWith;
import dev.grapevine.runtime.churn.ComingAbsences;
import dev.grapevine.runtime.churn.Moment;
import dev.grapevine.runtime.fault.FaultPolicy;
import dev.grapevine.state.State;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Which nodes are up, and how often each has come back: the same on every clock, which asks it what
 * comes next and tells it what has happened. Safe for concurrent use.
 *
 * <p>A node lives once, unless the plan makes it go down and come back. Messages of a life that is
 * over, to a node or from it, are dropped: {@link #incarnation} tells them apart. Of nodes of other
 * processes it knows what {@link Hearsay} says.
 */
public final class Lives {

  /** By how much a clock may miss the time at which a node comes back, in ns. */
  private static final long LATE = 1_000_000_000L;

  private final Churn churn;
  private final boolean restartsAlone;
  private final int learners;
  private final int rounds;
  private final LifeCourse[] courses;

  /** The nodes of this process. */
  private final Set<Integer> here;

  private final Standstill standstill = new Standstill();
  private int restartsLeft;
  private int lastCounted = -1;

  /** How often a node has gone down or come back. */
  private volatile long changes;

  public Lives(Plan plan) {
    churn = plan.faults().churn();
    restartsAlone =
        plan.policy().failedNode() == FaultPolicy.FailedNode.RESTART
            && plan.policy().missing() == FaultPolicy.Missing.GO_ON
            && plan.saving().maker() != null;
    restartsLeft = plan.policy().restarts();
    learners = plan.topology().nodes();
    rounds = plan.rounds();
    here = Set.copyOf(plan.here().keySet());
    courses = new LifeCourse[isUsed() ? plan.nodes() : 0];
    for (int node = 0; node < courses.length; node++) {
      courses[node] =
          new LifeCourse(
              node, new ComingAbsences(node < learners ? churn.absences(node) : Churn.never()));
    }
  }

  /** Whether any node may go down and come back. */
  public boolean isUsed() {
    return restartsAlone || !churn.isNone();
  }

  /** Whether nodes that come back may ask a neighbour for its model. */
  boolean mayAskNeighbours() {
    return churn.ways().contains(ComesBackWith.NEIGHBOUR);
  }

  /** What of a node must be kept for when it comes back. */
  Set<ComesBackWith> kept(int node) {
    Set<ComesBackWith> kept = EnumSet.noneOf(ComesBackWith.class);
    if (isUsed() && courses[node].hasAbsences()) {
      kept.addAll(churn.ways());
    }
    if (restartsAlone) {
      kept.add(ComesBackWith.CHECKPOINT);
    }
    return kept;
  }

  /** What a node that is down comes back with. */
  ComesBackWith comesBackWith(int node) {
    return courses[node].comesBackWith();
  }

  /** Declares where a node is in its plan. */
  void declare(int node, State state) {
    courses[node].declare(state);
  }

  /** Decides who is down where the run begins, or goes on with a plan that nobody has followed. */
  public synchronized void begin(long now, int firstRound) {
    for (LifeCourse course : courses) {
      course.begin(now, firstRound);
    }
  }

  /** One node's lives; whoever changes them holds this lock. */
  LifeCourse of(int node) {
    return courses[node];
  }

  /** The nodes of other processes. */
  List<LifeCourse> elsewhere() {
    List<LifeCourse> elsewhere = new ArrayList<>();
    for (int node = 0; node < courses.length; node++) {
      if (!here.contains(node)) {
        elsewhere.add(courses[node]);
      }
    }
    return elsewhere;
  }

  public boolean isDown(int node) {
    return courses.length > 0 && courses[node].isDown();
  }

  /** Whether a node is up and takes part. */
  public synchronized boolean isIn(int node) {
    return courses.length == 0 || courses[node].takesPart();
  }

  /** Whether a node has ended for good, well or not. */
  synchronized boolean hasEnded(int node) {
    return courses[node].hasEnded();
  }

  /** Whether a node that is down stays so. */
  public synchronized boolean isForGood(int node) {
    return courses[node].isForGood();
  }

  /** When something happens to a node next by the clock, in ns. */
  public synchronized OptionalLong nextChange(int node) {
    Moment change = courses[node].nextChange();
    return change == null || change.isRound() ? OptionalLong.empty() : OptionalLong.of(change.at());
  }

  /** Changes with everything that happens to a node. */
  public synchronized int version(int node) {
    return courses[node].version();
  }

  /** Whether the plan lets a node miss the round that it is about to begin. */
  synchronized boolean goesDownBefore(int node, int round) {
    return round < rounds && courses[node].goesDownBefore(round);
  }

  /** The nodes of this process that are back once someone begins {@code round}. */
  synchronized List<Integer> dueBack(int round) {
    List<Integer> due = new ArrayList<>(0);
    for (int node = 0; node < courses.length; node++) {
      if (here.contains(node) && courses[node].isDueBack(round)) {
        due.add(node);
      }
    }
    return due;
  }

  /** The round in which one that is down is back for certain; {@link Entry#ANY_ROUND} otherwise. */
  public int sureRound(int node) {
    Company.NodeLife life = life(node);
    return life.isSure() ? life.due() : Entry.ANY_ROUND;
  }

  /** Of those that come back by rounds, who does so first; -1 if nobody does. */
  public synchronized int firstBack() {
    int first = -1;
    long soonest = Long.MAX_VALUE;
    for (int node = 0; node < courses.length; node++) {
      Moment back = courses[node].nextReturn();
      if (back != null && back.isRound() && back.at() < soonest) {
        first = node;
        soonest = back.at();
      }
    }
    return first;
  }

  /** A node has gone down, as its plan says or since it has failed. */
  public synchronized void wentDown(int node) {
    changes++;
    courses[node].wentDown();
  }

  /** Whether a node that has failed is to come back alone; counts it. */
  public synchronized boolean mends(int node) {
    if (!restartsAlone || restartsLeft == 0) {
      return false;
    }
    restartsLeft--;
    courses[node].mends();
    return true;
  }

  /** Whether a node that has failed comes back ahead of any plan. */
  public synchronized boolean isMending(int node) {
    return courses[node].isMending();
  }

  /** A node comes back; what it does so with. */
  public synchronized ComesBackWith comesBack(int node) {
    ComesBackWith with = courses[node].comesBackWith();
    courses[node].comesBack();
    changes++;
    standstill.isBack(node, learnersLeft());
    return with;
  }

  private BitSet learnersLeft() {
    BitSet left = new BitSet();
    for (int node = 0; node < learners; node++) {
      left.set(node, !courses[node].hasEnded());
    }
    return left;
  }

  /** Why it is no use to let nodes come back any more; empty while it is. */
  public synchronized Optional<String> futility() {
    return standstill.reason();
  }

  /** How often a node has gone down or come back: tells whether anything has changed. */
  public long changes() {
    return changes;
  }

  /**
   * A node takes part again.
   *
   * @param missed rounds that it was not there for
   */
  synchronized void joined(int node, int missed) {
    courses[node].joined(missed);
  }

  /** A node has ended for good, well or not. */
  public synchronized void ended(int node) {
    if (courses.length > 0) {
      courses[node].ended();
    }
  }

  /**
   * A node of this process was lost with the process before it, and comes back with its newest
   * checkpoint.
   *
   * @param told its life that is over
   */
  public synchronized void wasLost(Company.NodeLife told, long now, int round) {
    courses[told.node()].wasLost(told.number(), now, round);
  }

  /** Whether all that have not ended are down. */
  public synchronized boolean isNobodyUp() {
    for (LifeCourse course : courses) {
      if (course.isUp()) {
        return false;
      }
    }
    return courses.length > 0;
  }

  /** Whether a node of this process comes back by the clock, and is not late already. */
  public synchronized boolean awaitsSomeone(long now) {
    for (int node = 0; node < courses.length; node++) {
      LifeCourse course = courses[node];
      Moment back = course.nextReturn();
      boolean isPlanned = back != null && !back.isRound() && back.at() > now - LATE;
      if (here.contains(node) && (course.isMending() || isPlanned)) {
        return true;
      }
    }
    return false;
  }

  /** Does something, such as to begin a round, while it is not being decided who enters where. */
  synchronized void whileNobodyEnters(Runnable action) {
    action.run();
  }

  /** Where a node is in its lives, for processes that do not have it. */
  public synchronized Company.NodeLife life(int node) {
    return courses[node].told();
  }

  /** Tells the messages between two nodes from those of lives that are over. */
  public int incarnation(int sender, int receiver) {
    return courses.length == 0 ? 0 : courses[sender].number() + courses[receiver].number();
  }

  /** How often a node has come back. */
  public int returns(int node) {
    return courses.length == 0 ? 0 : courses[node].number();
  }

  synchronized long roundsLost(int node) {
    return courses[node].roundsLost();
  }

  /** A message was lost because its receiver was down, or one of the two had a life before. */
  public void lost(int sender) {
    courses[sender].lostMessage();
  }

  long lostBy(int node) {
    return courses[node].messagesLost();
  }

  /**
   * A node has finished a round.
   *
   * @return how many nodes with data are up, for the first that has finished it; empty for others
   */
  synchronized OptionalLong aliveAfter(int round) {
    standstill.roundFinished();
    if (round <= lastCounted) {
      return OptionalLong.empty();
    }
    lastCounted = round;
    long alive = 0;
    for (int node = 0; node < learners; node++) {
      alive += courses[node].takesPart() ? 1 : 0;
    }
    return OptionalLong.of(alive);
  }
}
