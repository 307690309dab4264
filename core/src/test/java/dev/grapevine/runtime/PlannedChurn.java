package dev.grapevine.runtime;

import dev.grapevine.runtime.churn.Absence;
import dev.grapevine.runtime.churn.Churn;
import dev.grapevine.runtime.churn.ComesBackWith;
import dev.grapevine.runtime.churn.Moment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Absences that a test plans. */
public final class PlannedChurn implements Churn {

  private final Map<Integer, List<Absence>> absences = new TreeMap<>();
  private final Set<ComesBackWith> ways = EnumSet.noneOf(ComesBackWith.class);

  /** Misses the rounds from {@code from} up to {@code to}. */
  public PlannedChurn rounds(int node, int from, int to, ComesBackWith with) {
    return add(node, new Absence(Moment.ofRound(from), Moment.ofRound(to), with));
  }

  public PlannedChurn millis(int node, long from, long to, ComesBackWith with) {
    return add(
        node,
        new Absence(Moment.at(Duration.ofMillis(from)), Moment.at(Duration.ofMillis(to)), with));
  }

  /** Leaves for good. */
  public PlannedChurn leaves(int node, Moment from) {
    return add(node, new Absence(from, null, ComesBackWith.FRESH));
  }

  private PlannedChurn add(int node, Absence absence) {
    absences.computeIfAbsent(node, none -> new ArrayList<>()).add(absence);
    if (!absence.isForGood()) {
      ways.add(absence.with());
    }
    return this;
  }

  @Override
  public Iterator<Absence> absences(int node) {
    return absences.getOrDefault(node, List.of()).iterator();
  }

  @Override
  public Set<ComesBackWith> ways() {
    return ways;
  }
}
