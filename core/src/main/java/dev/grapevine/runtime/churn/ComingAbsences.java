package dev.grapevine.runtime.churn;

import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * What the plan still holds for one node: its absences, one after the other, of which the next may
 * be under way. One thread at a time moves on; {@link #next} may be asked from anywhere.
 */
public final class ComingAbsences {

  private final Iterator<Absence> later;
  private volatile @Nullable Absence next;

  /** How many have been taken from the plan, the next included. */
  private int taken;

  public ComingAbsences(Iterator<Absence> all) {
    later = all;
    advance();
  }

  /** The one that comes next or is under way; null if there is none any more. */
  public @Nullable Absence next() {
    return next;
  }

  /** The next one is over. */
  public void advance() {
    next = later.hasNext() ? later.next() : null;
    taken++;
  }

  /** How far the plan has been followed. */
  public int taken() {
    return taken;
  }

  /** Goes on where the plan had been followed so far. */
  public void advanceTo(long taken) {
    while (this.taken < taken) {
      advance();
    }
  }

  /** Passes over those that have ended by a time, or where {@code round} begins. */
  public void passOver(long now, int round) {
    for (Absence absence = next; absence != null; absence = next) {
      Moment end = absence.to();
      if (end == null || !end.hasCome(now, round)) {
        return;
      }
      advance();
    }
  }

  /** Passes over those that have ended where {@code round} begins, if they go by rounds. */
  public void passOver(int round) {
    passOver(Long.MIN_VALUE, round);
  }
}
