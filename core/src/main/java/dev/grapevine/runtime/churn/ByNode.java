package dev.grapevine.runtime.churn;

import dev.grapevine.settings.SettingException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

/** Absences that are known one by one, by node. */
final class ByNode {

  private final List<List<Absence>> absences = new ArrayList<>();

  ByNode(int nodes) {
    for (int node = 0; node < nodes; node++) {
      absences.add(new ArrayList<>(0));
    }
  }

  void add(int node, Absence absence) {
    absences.get(node).add(absence);
  }

  /** Sorts them and refuses those that overlap. */
  void requireOrder(String setting) {
    for (int node = 0; node < absences.size(); node++) {
      List<Absence> all = absences.get(node);
      try {
        all.sort((one, other) -> one.from().compareTo(other.from()));
        for (int i = 1; i < all.size(); i++) {
          Moment end = all.get(i - 1).to();
          SettingException.require(
              end != null && end.compareTo(all.get(i).from()) < 0,
              setting,
              "node %d goes down while it is down: absence from %s, and another from %s"
                  .formatted(node, all.get(i - 1).from(), all.get(i).from()));
        }
      } catch (IllegalArgumentException mixed) {
        throw new SettingException(
            setting,
            "the absences of one node must all be by the clock or all by rounds: node=%d"
                .formatted(node));
      }
    }
  }

  Iterator<Absence> of(int node) {
    return node < absences.size() ? absences.get(node).iterator() : Churn.never();
  }

  Set<ComesBackWith> ways() {
    Set<ComesBackWith> ways = EnumSet.noneOf(ComesBackWith.class);
    for (List<Absence> all : absences) {
      for (Absence each : all) {
        if (!each.isForGood()) {
          ways.add(each.with());
        }
      }
    }
    return ways;
  }
}
