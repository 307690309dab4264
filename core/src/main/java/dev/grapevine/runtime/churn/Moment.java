package dev.grapevine.runtime.churn;

import java.time.Duration;

/**
 * A point of a run, by the clock or by rounds. By rounds it is the same point on every clock.
 *
 * @param isRound whether {@code at} counts rounds
 * @param at ns since the run began, or the round that begins
 */
public record Moment(boolean isRound, long at) implements Comparable<Moment> {

  /** Where a run begins. */
  public static final Moment START = new Moment(false, 0);

  public static Moment at(Duration time) {
    return new Moment(false, time.toNanos());
  }

  public static Moment ofRound(int round) {
    return new Moment(true, round);
  }

  /** Whether it is where the run begins. */
  public boolean isStart() {
    return at == 0;
  }

  /** Whether it is past at a time on the clock, where {@code round} begins. */
  public boolean hasCome(long now, int round) {
    return at <= (isRound ? round : now);
  }

  /** Of two by the clock or two by rounds; other two have no order. */
  @Override
  public int compareTo(Moment other) {
    if (isRound != other.isRound && !isStart() && !other.isStart()) {
      throw new IllegalArgumentException(
          "a time and a round have no order: %s, %s".formatted(this, other));
    }
    return Long.compare(at, other.at);
  }

  @Override
  public String toString() {
    return isRound ? "round " + at : at / 1e9 + " s";
  }
}
