package dev.grapevine.runtime.churn;

import dev.grapevine.settings.Kind;
import java.util.Iterator;
import java.util.Set;

/** Nobody goes down. */
@Kind(name = "none", summary = "all nodes are there from the first round to the last")
public final class NoChurn implements Churn {

  @Override
  public Iterator<Absence> absences(int node) {
    return Churn.never();
  }

  @Override
  public Set<ComesBackWith> ways() {
    return Set.of();
  }

  @Override
  public boolean isNone() {
    return true;
  }
}
