package dev.grapevine.runtime.churn;

import dev.grapevine.settings.Family;
import java.util.Collections;
import java.util.Iterator;
import java.util.Set;

/** When nodes go down and come back. A pure function: asked twice, it answers the same. */
public interface Churn {

  Family<ChurnContext, Churn> FAMILY =
      new Family<>("churn", Churn.class, ChurnContext.class, "when nodes go down and come back");

  /** Nobody goes. */
  Churn NONE = new NoChurn();

  /**
   * A node's absences, one after the other. Asked for one at a time, since by rates they never end.
   */
  Iterator<Absence> absences(int node);

  /** What nodes may come back with. */
  Set<ComesBackWith> ways();

  /** Whether nobody ever goes. */
  default boolean isNone() {
    return false;
  }

  /** The absences of a node that has none. */
  static Iterator<Absence> never() {
    return Collections.emptyIterator();
  }
}
