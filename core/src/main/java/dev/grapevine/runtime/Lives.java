package dev.grapevine.runtime;

import dev.grapevine.runtime.churn.Absence;
import dev.grapevine.runtime.churn.Churn;
import dev.grapevine.runtime.churn.ComesBackWith;
import dev.grapevine.runtime.churn.Moment;
import dev.grapevine.runtime.fault.FaultPolicy;
import dev.grapevine.state.State;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * Which nodes are up, and how often each has come back: the same on every clock, which asks it what
 * comes next and tells it what has happened. Safe for concurrent use.
 *
 * <p>A node lives once, unless the plan makes it go down and come back. Messages of a life that is
 * over, to a node or from it, are dropped: {@link #incarnation} tells them apart.
 */
public final class Lives {

  /** What a clock needs to know to let a node come back. */
  public record Entry(int firstRound, int restsAfter) {

    /** The node does not have to rest before it begins. */
    public static final int NO_REST = -1;
  }

  /** Where a node does not come back by rounds. */
  public static final int ANY_ROUND = -1;

  /** By how much a clock may miss the time at which a node comes back, in ns. */
  private static final long LATE = 1_000_000_000L;

  private final Churn churn;
  private final boolean restartsAlone;
  private final int rounds;
  private final int learners;
  private final Life[] lives;

  /** The nodes of this process. */
  private final Set<Integer> here;

  private final AtomicLongArray lost;
  private int restartsLeft;
  private int lastCounted = -1;

  /** How often a node has gone down or come back. */
  private volatile long changes;

  /** One node's lives. */
  private static final class Life {
    private final Iterator<Absence> coming;
    private volatile @Nullable Absence next;
    private int taken;
    private volatile boolean isDown;

    /** Whether it takes part, and is not still asking a neighbour. */
    private boolean isIn = true;

    private boolean hasEnded;
    private volatile int number;

    /** Changes with everything that happens to it, so that what was planned before is void. */
    private int version;

    private long roundsLost;

    /** Of one in another process: the round in which it is due back; -1 if not by rounds. */
    private volatile int due = Company.NodeLife.NO_ROUND;

    /** Of one in another process: the first round that it is not there for. */
    private volatile int from;

    /** Whether it takes part from that very round on. */
    private volatile boolean isSure;

    private boolean isDueTold;

    /** What it comes back with after a failure, ahead of its plan. */
    private volatile @Nullable ComesBackWith mends;

    Life(Iterator<Absence> coming) {
      this.coming = coming;
      advance();
    }

    private void advance() {
      next = coming.hasNext() ? coming.next() : null;
      taken++;
    }

    /** When something happens to it next; null for never. */
    private @Nullable Moment change() {
      Absence absence = next;
      if (absence == null) {
        return null;
      }
      return isDown ? absence.to() : absence.from();
    }
  }

  public Lives(Plan plan) {
    churn = plan.faults().churn();
    restartsAlone =
        plan.policy().failedNode() == FaultPolicy.FailedNode.RESTART
            && plan.policy().missing() == FaultPolicy.Missing.GO_ON
            && plan.saving().maker() != null;
    restartsLeft = plan.policy().restarts();
    rounds = plan.rounds();
    learners = plan.topology().nodes();
    here = Set.copyOf(plan.here().keySet());
    lives = new Life[isUsed() ? plan.nodes() : 0];
    lost = new AtomicLongArray(lives.length);
    for (int node = 0; node < lives.length; node++) {
      lives[node] = new Life(node < learners ? churn.absences(node) : Churn.never());
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
    if (lives.length == 0) {
      return Set.of();
    }
    Set<ComesBackWith> kept = EnumSet.noneOf(ComesBackWith.class);
    if (lives[node].next != null || lives[node].isDown) {
      kept.addAll(churn.ways());
    }
    if (restartsAlone) {
      kept.add(ComesBackWith.CHECKPOINT);
    }
    return kept;
  }

  /** What a node that is down comes back with. */
  ComesBackWith comesBackWith(int node) {
    ComesBackWith mends = lives[node].mends;
    Absence absence = lives[node].next;
    if (mends != null) {
      return mends;
    }
    return absence == null ? ComesBackWith.FRESH : absence.with();
  }

  /** Declares where a node is in its plan. */
  void declare(int node, State state) {
    Life life = lives[node];
    state.values(
        "churn",
        // Nothing happens to anyone while all are saved.
        () ->
            new long[] {
              life.taken,
              life.isDown ? 1 : 0,
              life.number,
              life.roundsLost,
              lost.get(node),
              life.mends == null ? 0 : 1
            },
        saved -> {
          while (life.taken < saved[0]) {
            life.advance();
          }
          life.isDown = saved[1] != 0;
          life.isIn = !life.isDown;
          life.number = (int) saved[2];
          life.roundsLost = saved[3];
          lost.set(node, saved[4]);
          life.mends = saved[5] == 0 ? null : ComesBackWith.CHECKPOINT;
          life.version = 1;
        });
  }

  /** Decides who is down where the run begins, or goes on with a plan that nobody has followed. */
  public synchronized void begin(long now, int firstRound) {
    for (Life life : lives) {
      boolean isRestored = life.version > 0;
      while (!isRestored && isOver(life.next, now, firstRound)) {
        life.advance();
      }
      Absence absence = life.next;
      if (!isRestored && absence != null && hasCome(absence.from(), now, firstRound)) {
        life.isDown = true;
        life.isIn = false;
      }
      life.version = 1;
    }
  }

  private static boolean isOver(@Nullable Absence absence, long now, int round) {
    Moment end = absence == null ? null : absence.to();
    return end != null && hasCome(end, now, round);
  }

  private static boolean hasCome(Moment moment, long now, int round) {
    return moment.at() <= (moment.isRound() ? round : now);
  }

  public boolean isDown(int node) {
    return lives.length > 0 && lives[node].isDown;
  }

  /** Whether a node is up and takes part. */
  public synchronized boolean isIn(int node) {
    return lives.length == 0 || (lives[node].isIn && !lives[node].isDown && !lives[node].hasEnded);
  }

  /** Whether a node that is down stays so. */
  public synchronized boolean isForGood(int node) {
    Life life = lives[node];
    Absence absence = life.next;
    return life.isDown && life.mends == null && absence != null && absence.isForGood();
  }

  /** When something happens to a node next by the clock, in ns. */
  public synchronized OptionalLong nextChange(int node) {
    Moment change = lives[node].hasEnded ? null : lives[node].change();
    return change == null || change.isRound() ? OptionalLong.empty() : OptionalLong.of(change.at());
  }

  /** Changes with everything that happens to a node. */
  public synchronized int version(int node) {
    return lives[node].version;
  }

  /** Whether the plan lets a node miss the round that it is about to begin. */
  public synchronized boolean goesDownBefore(int node, int round) {
    Life life = lives[node];
    while (!life.isDown && life.next != null && isOver(life.next, Long.MIN_VALUE, round)) {
      life.advance();
    }
    Absence absence = life.next;
    return !life.isDown
        && absence != null
        && absence.from().isRound()
        && absence.from().at() <= round;
  }

  /**
   * The nodes that are back once someone begins {@code round}; those of other processes are told of
   * once.
   */
  public synchronized List<Integer> dueBack(int round) {
    List<Integer> due = new ArrayList<>(0);
    for (int node = 0; node < lives.length; node++) {
      Life life = lives[node];
      if (!here.contains(node)) {
        if (life.isDown && !life.isDueTold && life.due >= 0 && life.due <= round) {
          life.isDueTold = true;
          due.add(node);
        }
        continue;
      }
      Moment change = life.isDown && !life.hasEnded ? life.change() : null;
      if (change != null && change.isRound() && change.at() <= round) {
        due.add(node);
      }
    }
    return due;
  }

  /** The round in which one that is down is back for certain; {@link #ANY_ROUND} otherwise. */
  public int sureRound(int node) {
    Company.NodeLife life = life(node);
    return life.isSure() ? life.due() : ANY_ROUND;
  }

  /** Of those that come back by rounds, who does so first; -1 if nobody does. */
  public synchronized int firstBack() {
    int first = -1;
    long soonest = Long.MAX_VALUE;
    for (int node = 0; node < lives.length; node++) {
      Life life = lives[node];
      Moment change = life.isDown && !life.hasEnded ? life.change() : null;
      if (change != null && change.isRound() && change.at() < soonest) {
        first = node;
        soonest = change.at();
      }
    }
    return first;
  }

  /** A node has gone down as its plan says. */
  public synchronized void wentDown(int node) {
    Life life = lives[node];
    changes++;
    life.isDown = true;
    life.isIn = false;
    life.version++;
  }

  /** Whether a node that has failed is to come back alone; counts it. */
  public synchronized boolean mends(int node) {
    if (!restartsAlone || restartsLeft == 0) {
      return false;
    }
    restartsLeft--;
    lives[node].mends = ComesBackWith.CHECKPOINT;
    return true;
  }

  /** Whether a node that has failed comes back ahead of any plan. */
  public synchronized boolean isMending(int node) {
    return lives[node].mends != null;
  }

  /** A node comes back; what it does so with. */
  public synchronized ComesBackWith comesBack(int node) {
    Life life = lives[node];
    ComesBackWith with = comesBackWith(node);
    if (life.mends == null) {
      life.advance();
    }
    life.mends = null;
    life.isDown = false;
    life.number++;
    life.version++;
    changes++;
    return with;
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
    lives[node].isIn = true;
    lives[node].roundsLost += Math.max(0, missed);
  }

  /** A node has ended for good, well or not. */
  public synchronized void ended(int node) {
    if (lives.length > 0) {
      lives[node].hasEnded = true;
      lives[node].version++;
    }
  }

  /** Whether all that have not ended are down. */
  public synchronized boolean isNobodyUp() {
    for (Life life : lives) {
      if (!life.isDown && !life.hasEnded) {
        return false;
      }
    }
    return lives.length > 0;
  }

  /** Whether a node of this process comes back by the clock, and is not late already. */
  public synchronized boolean awaitsSomeone(long now) {
    for (int node = 0; node < lives.length; node++) {
      if (!here.contains(node)) {
        continue;
      }
      Life life = lives[node];
      Moment change = life.isDown && !life.hasEnded ? life.change() : null;
      if (life.mends != null || (change != null && !change.isRound() && change.at() > now - LATE)) {
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
    Life life = lives[node];
    return life.isDown && life.mends == null
        ? down(node)
        : new Company.NodeLife(node, life.number, life.isDown, Company.NodeLife.NO_ROUND, false);
  }

  /** The same once a node is down as its plan says. */
  private Company.NodeLife down(int node) {
    Absence absence = lives[node].next;
    Moment to = absence == null ? null : absence.to();
    if (absence == null || to == null || !to.isRound()) {
      return new Company.NodeLife(node, lives[node].number, true, Company.NodeLife.NO_ROUND, false);
    }
    return new Company.NodeLife(
        node, lives[node].number, true, (int) to.at(), absence.with() != ComesBackWith.NEIGHBOUR);
  }

  /** Learns where a node of another process is when the run begins, or this process comes back. */
  public synchronized void learn(Company.NodeLife told) {
    Life life = lives[told.node()];
    life.number = told.number();
    life.isIn = !told.isDown();
    isTold(life, told, 0);
  }

  private static void isTold(Life life, Company.NodeLife told, int from) {
    life.from = from;
    life.due = told.due();
    life.isSure = told.isSure();
    life.isDueTold = false;
    life.isDown = told.isDown();
  }

  /**
   * A node of this process was lost with the process before it, and comes back with its newest
   * checkpoint.
   *
   * @param told its life that is over
   */
  public synchronized void wasLost(Company.NodeLife told, long now, int round) {
    Life life = lives[told.node()];
    while (isOver(life.next, now, round)) {
      life.advance();
    }
    life.number = told.number();
    life.isDown = true;
    life.isIn = false;
    life.mends = ComesBackWith.CHECKPOINT;
  }

  /** Hears that a life of a node of another process is over; false if that is old news. */
  public synchronized boolean hearDown(Company.NodeLife told, int from) {
    Life life = lives[told.node()];
    if (told.number() < life.number) {
      return false;
    }
    life.number = told.number();
    life.isIn = false;
    isTold(life, told, from);
    return true;
  }

  /**
   * Whether one who is down was, or is, there for a round that it may not have been through yet.
   */
  public boolean isThereFor(int node, int round) {
    return round < lives[node].from;
  }

  /** Whether a message to one who is down will be heard, since it is back by then for certain. */
  public boolean isSureToHear(int node, int round) {
    Life life = lives[node];
    return life.isDown && life.isSure && round >= life.due;
  }

  /**
   * Nodes of other processes that miss a round by their plans which someone here is about to begin:
   * they are as good as down, though they may not be there yet.
   */
  public synchronized List<Company.NodeLife> plannedToMiss(int round) {
    List<Company.NodeLife> absent = new ArrayList<>(0);
    for (int node = 0; node < lives.length; node++) {
      if (!here.contains(node) && goesDownBefore(node, round)) {
        absent.add(down(node));
      }
    }
    return absent;
  }

  /**
   * Hears that a node of another process begins a life; false if that is old news.
   *
   * @param sure the round in which it takes part by its plan; {@link #ANY_ROUND} if that is open
   */
  public synchronized boolean hearUp(int node, int number, int sure) {
    Life life = lives[node];
    if (number <= life.number) {
      return number == life.number && !life.isDown;
    }
    while (sure != ANY_ROUND && isOver(life.next, Long.MIN_VALUE, sure)) {
      life.advance();
    }
    life.number = number;
    life.isDown = false;
    return true;
  }

  /** Whether a life of a node is over as far as is known here, by its plan if not by word. */
  public synchronized boolean isPast(int node, int number) {
    Life life = lives[node];
    return number < life.number || (number == life.number && life.isDown);
  }

  /** Hears that a node of another process takes part; false if that is old news. */
  public synchronized boolean hearIn(int node, int number) {
    Life life = lives[node];
    boolean isNews = number == life.number && !life.isDown;
    life.isIn |= isNews;
    return isNews;
  }

  /**
   * The first round that none of these nodes has begun, which all take part as far as they are up:
   * from it on they can count on one who comes back.
   */
  public synchronized int firstFreeRound(List<RunningNode> here) {
    int free = 0;
    for (RunningNode node : here) {
      if (isIn(node.id())) {
        free = Math.max(free, node.begunRound() + 1);
      }
    }
    return isTooLate(here) ? rounds : free;
  }

  /** Whether all rounds are over that a node could take part in. */
  public boolean isPastTheEnd(int round) {
    return round >= rounds;
  }

  /** Tells the messages between two nodes from those of lives that are over. */
  public int incarnation(int sender, int receiver) {
    return lives.length == 0 ? 0 : lives[sender].number + lives[receiver].number;
  }

  /** How often a node has come back. */
  public int returns(int node) {
    return lives.length == 0 ? 0 : lives[node].number;
  }

  synchronized long roundsLost(int node) {
    return lives[node].roundsLost;
  }

  /** A message was lost because its receiver was down, or one of the two had a life before. */
  public void lost(int sender) {
    lost.incrementAndGet(sender);
  }

  long lostBy(int node) {
    return lost.get(node);
  }

  /**
   * Where a node begins that comes back while others are in the midst of it. Those who are ahead of
   * it send what it needs from that round on; of the rounds before it needs nothing. Where all are
   * about to be saved it waits with them.
   *
   * @param present all nodes; only those that take part are asked
   * @param cutRound the round after which nodes wait to be saved; negative if none does
   * @param earliest the round that it is to begin with, if all goes by rounds
   */
  public synchronized Entry entry(
      int node, List<RunningNode> present, int cutRound, int earliest, Cuts cuts) {
    int begun = -1;
    for (RunningNode other : present) {
      if (other.id() != node && isIn(other.id())) {
        // Not the round that it is about to begin: it may have to rest first, and so has this one.
        begun = Math.max(begun, other.begunRound());
      }
    }
    if (begun < 0) {
      // All alone, it goes on where it was.
      return new Entry(Math.max(earliest, present.get(node).ownRound()), Entry.NO_REST);
    }
    if (cutRound >= 0) {
      return new Entry(cutRound + 1, cutRound);
    }
    if (earliest > begun) {
      return new Entry(earliest, cuts.due(earliest - 1) ? earliest - 1 : Entry.NO_REST);
    }
    if (earliest == begun) {
      // It comes back with the first who begins this round, before that one has said anything.
      return new Entry(begun, cuts.due(begun - 1) ? begun - 1 : Entry.NO_REST);
    }
    return new Entry(begun + 1, cuts.due(begun) ? begun : Entry.NO_REST);
  }

  /** Whether the first node has been through all rounds, so that nobody needs to come back. */
  public synchronized boolean isTooLate(List<RunningNode> nodes) {
    for (RunningNode node : nodes) {
      Life life = lives[node.id()];
      if (!life.isDown && node.ownRound() >= rounds) {
        return true;
      }
      if (life.hasEnded && node.id() >= learners) {
        return true;
      }
    }
    return false;
  }

  /** How many nodes with data are up, for the first that asks after a round; empty for others. */
  synchronized OptionalLong aliveAfter(int round) {
    if (round <= lastCounted) {
      return OptionalLong.empty();
    }
    lastCounted = round;
    long alive = 0;
    for (int node = 0; node < learners; node++) {
      Life life = lives[node];
      alive += life.isIn && !life.isDown && !life.hasEnded ? 1 : 0;
    }
    return OptionalLong.of(alive);
  }
}
