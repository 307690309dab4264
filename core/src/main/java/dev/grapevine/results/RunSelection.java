package dev.grapevine.results;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Which of some runs may be taken together in statistics: every seed once, and none that did not
 * get to its end beside those that did.
 *
 * @param groups runs that differ in their seed only, with those that count
 * @param notes what was left out, and why
 */
public record RunSelection(List<SeedGroup> groups, List<String> notes) {

  public RunSelection {
    groups = List.copyOf(groups);
    notes = List.copyOf(notes);
  }

  /**
   * Chooses among runs.
   *
   * @param unfinished whether runs count that were cut off, have failed or still go
   */
  public static RunSelection of(List<SavedRun> runs, boolean unfinished) {
    List<String> notes = new ArrayList<>();
    List<SeedGroup> groups = new ArrayList<>();
    for (SeedGroup group : SeedGroup.of(runs)) {
      List<SavedRun> kept = onceASeed(group.runs(), notes);
      groups.add(unfinished ? group.of(group.label(), kept) : complete(group, kept, notes));
    }
    return new RunSelection(groups, notes);
  }

  /** All runs that count. */
  public List<SavedRun> runs() {
    return groups.stream().flatMap(group -> group.runs().stream()).toList();
  }

  private static List<SavedRun> onceASeed(List<SavedRun> runs, List<String> notes) {
    List<SavedRun> kept = new ArrayList<>();
    Map<Long, Integer> bySeed = new HashMap<>();
    for (SavedRun run : runs) {
      Integer other = run.seed().isEmpty() ? null : bySeed.get(run.seed().getAsLong());
      if (other == null) {
        run.seed().ifPresent(seed -> bySeed.put(seed, kept.size()));
        kept.add(run);
        continue;
      }
      SavedRun first = kept.get(other);
      boolean isBetter = run.isComplete() && !first.isComplete();
      if (isBetter) {
        kept.set(other, run);
      }
      notes.add(
          "left out: %s is the same experiment with the same seed as %s"
              .formatted(path(isBetter ? first : run), path(isBetter ? run : first)));
    }
    return kept;
  }

  /** Those that are complete; where there is none, the one that got farthest, marked as such. */
  private static SeedGroup complete(SeedGroup group, List<SavedRun> runs, List<String> notes) {
    List<SavedRun> complete = runs.stream().filter(SavedRun::isComplete).toList();
    SavedRun farthest = runs.getFirst();
    for (SavedRun run : runs) {
      farthest = run.rounds() > farthest.rounds() ? run : farthest;
    }
    boolean none = complete.isEmpty();
    for (SavedRun run : runs) {
      if (!run.isComplete() && !(none && run == farthest)) {
        notes.add(
            String.format(
                Locale.ROOT,
                "left out: %s is %s after round %d%s (--unfinished takes it in)",
                path(run),
                run.outcome(),
                run.rounds(),
                of(run)));
      }
    }
    return none
        ? group.of(
            "%s (%s after round %d%s)"
                .formatted(group.label(), farthest.outcome(), farthest.rounds(), of(farthest)),
            List.of(farthest))
        : group.of(group.label(), complete);
  }

  private static String of(SavedRun run) {
    String rounds = run.settings().get("rounds");
    return rounds == null ? "" : " of " + rounds;
  }

  private static String path(SavedRun run) {
    return run.directory().path().toString();
  }
}
