package dev.grapevine.runtime.churn;

import org.jspecify.annotations.Nullable;

/**
 * A while in which a node is down: it does nothing and hears nothing.
 *
 * @param from when it goes down; {@link Moment#START} for one that joins late
 * @param to when it comes back; null for never
 * @param with what it remembers then
 */
public record Absence(Moment from, @Nullable Moment to, ComesBackWith with) {

  public Absence {
    if (to != null && (to.isRound() != from.isRound() && !from.isStart())) {
      throw new IllegalArgumentException(
          "an absence begins and ends by the clock or by rounds, not one of each: from %s to %s"
              .formatted(from, to));
    }
    if (to != null && to.compareTo(from) <= 0) {
      throw new IllegalArgumentException(
          "an absence must end after it begins: from %s to %s".formatted(from, to));
    }
  }

  /** Whether the node leaves for good. */
  public boolean isForGood() {
    return to == null;
  }
}
