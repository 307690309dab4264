package dev.grapevine.runtime;

import dev.grapevine.runtime.Company.NodeLife;
import dev.grapevine.runtime.churn.Absence;
import dev.grapevine.runtime.churn.ComesBackWith;
import dev.grapevine.runtime.churn.ComingAbsences;
import dev.grapevine.runtime.churn.Moment;
import dev.grapevine.state.State;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * One node's lives, one after the other: where it is in its plan, and what has happened to it.
 * Changed under the lock of {@link Lives}, as is asked what is not volatile.
 */
final class LifeCourse {

  private final int node;
  private final ComingAbsences ahead;
  private volatile boolean isDown;

  /** Whether it takes part, and is not still asking a neighbour. */
  private boolean isIn = true;

  private boolean hasEnded;

  /** Of its present life; the first is 0. */
  private volatile int number;

  /** Changes with everything that happens to it, so that what was planned before is void. */
  private int version;

  private long roundsLost;

  /** Messages of its own that were lost, since it or the receiver was down or began anew. */
  private final AtomicLong messagesLost = new AtomicLong();

  /** Whether it comes back after a failure, with its newest checkpoint and ahead of its plan. */
  private volatile boolean isMending;

  LifeCourse(int node, ComingAbsences ahead) {
    this.node = node;
    this.ahead = ahead;
  }

  /** Declares where it is in its plan. */
  void declare(State state) {
    state.values(
        "churn",
        // Nothing happens to anyone while all are saved.
        () ->
            new long[] {
              ahead.taken(),
              isDown ? 1 : 0,
              number,
              roundsLost,
              messagesLost.get(),
              isMending ? 1 : 0
            },
        saved -> {
          ahead.advanceTo(saved[0]);
          isDown = saved[1] != 0;
          isIn = !isDown;
          number = (int) saved[2];
          roundsLost = saved[3];
          messagesLost.set(saved[4]);
          isMending = saved[5] != 0;
          version = 1;
        });
  }

  /** Is down or up where the run begins, or goes on with a plan that nobody has followed. */
  void begin(long now, int firstRound) {
    boolean isRestored = version > 0;
    if (!isRestored) {
      ahead.passOver(now, firstRound);
      Absence absence = ahead.next();
      if (absence != null && absence.from().hasCome(now, firstRound)) {
        isDown = true;
        isIn = false;
      }
    }
    version = 1;
  }

  int node() {
    return node;
  }

  boolean isDown() {
    return isDown;
  }

  boolean isUp() {
    return !isDown && !hasEnded;
  }

  boolean takesPart() {
    return isIn && isUp();
  }

  boolean hasEnded() {
    return hasEnded;
  }

  /** How often it has come back. */
  int number() {
    return number;
  }

  int version() {
    return version;
  }

  long roundsLost() {
    return roundsLost;
  }

  long messagesLost() {
    return messagesLost.get();
  }

  void lostMessage() {
    messagesLost.incrementAndGet();
  }

  boolean isMending() {
    return isMending;
  }

  /** Whether it is down or will be. */
  boolean hasAbsences() {
    return ahead.next() != null || isDown;
  }

  /** Whether it is down and stays so. */
  boolean isForGood() {
    Absence absence = ahead.next();
    return isDown && !isMending && absence != null && absence.isForGood();
  }

  /** When its plan lets something happen to it next; null for never. */
  @Nullable Moment nextChange() {
    Absence absence = ahead.next();
    if (absence == null || hasEnded) {
      return null;
    }
    return isDown ? absence.to() : absence.from();
  }

  /** When its plan lets it come back; null if it is not down, or stays so. */
  @Nullable Moment nextReturn() {
    return isDown ? nextChange() : null;
  }

  /** Whether its plan lets it come back with the first who begins {@code round}. */
  boolean isDueBack(int round) {
    Moment back = nextReturn();
    return back != null && back.isRound() && back.at() <= round;
  }

  /** Whether its plan lets it miss the round that it is about to begin. */
  boolean goesDownBefore(int round) {
    if (isDown) {
      return false;
    }
    ahead.passOver(round);
    Absence absence = ahead.next();
    return absence != null && absence.from().isRound() && absence.from().at() <= round;
  }

  /** What it comes back with, if it is down. */
  ComesBackWith comesBackWith() {
    if (isMending) {
      return ComesBackWith.CHECKPOINT;
    }
    Absence absence = ahead.next();
    return absence == null ? ComesBackWith.FRESH : absence.with();
  }

  void wentDown() {
    isDown = true;
    isIn = false;
    version++;
  }

  /** It has failed, and is to come back alone. */
  void mends() {
    isMending = true;
  }

  /** Its next life begins. */
  void comesBack() {
    if (!isMending) {
      ahead.advance();
    }
    isMending = false;
    isDown = false;
    number++;
    version++;
  }

  /** It takes part again, after it was not there for so many rounds. */
  void joined(int missed) {
    isIn = true;
    roundsLost += Math.max(0, missed);
  }

  void ended() {
    hasEnded = true;
    version++;
  }

  /** It was lost with its process in a life of this number, and comes back alone. */
  void wasLost(int number, long now, int round) {
    ahead.passOver(now, round);
    this.number = number;
    isDown = true;
    isIn = false;
    isMending = true;
  }

  /** Is where the process says that has it. */
  void follow(NodeLife told) {
    number = told.number();
    isIn = !told.isDown();
    isDown = told.isDown();
  }

  /**
   * Begins a life elsewhere.
   *
   * @param sure the round in which it takes part by its plan; {@link Entry#ANY_ROUND} if open
   */
  void hasBegun(int number, int sure) {
    if (sure != Entry.ANY_ROUND) {
      ahead.passOver(sure);
    }
    this.number = number;
    isDown = false;
  }

  /** Where it is, for processes that do not have it. */
  NodeLife told() {
    return isDown && !isMending ? toldDown() : told(isDown, NodeLife.NO_ROUND, false);
  }

  /** The same once it is down as its plan says. */
  NodeLife toldDown() {
    Absence absence = ahead.next();
    Moment to = absence == null ? null : absence.to();
    if (absence == null || to == null || !to.isRound()) {
      return told(true, NodeLife.NO_ROUND, false);
    }
    return told(true, (int) to.at(), absence.with() != ComesBackWith.NEIGHBOUR);
  }

  private NodeLife told(boolean isDown, int due, boolean isSure) {
    return new NodeLife(node, number, isDown, due, isSure);
  }
}
