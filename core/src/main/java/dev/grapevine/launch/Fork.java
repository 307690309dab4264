package dev.grapevine.launch;

import dev.grapevine.UserException;
import dev.grapevine.checkpoint.SavedCut;
import dev.grapevine.checkpoint.UnusableCut;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.results.RunDirectory;
import dev.grapevine.results.SavedRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/**
 * A run that goes on from a checkpoint of another with something changed, in a directory of its
 * own.
 *
 * @param parent the run that it branches off from
 * @param before the parent's experiment
 * @param experiment what it is from then on
 * @param cut where it branches off
 */
record Fork(SavedRun parent, Experiment before, Experiment experiment, SavedCut cut) {

  /**
   * @param at after how many rounds; the newest checkpoint if it is not said
   * @param assignments what is changed
   */
  static Fork of(Path directory, OptionalInt at, List<String> assignments) {
    SavedRun parent = SavedRun.readWithoutMetrics(directory);
    Fork fork = of(parent, cut(parent.directory(), at), assignments);
    fork.check();
    return fork;
  }

  /**
   * The same branch from its beginning: a run that nothing was saved of yet, or that is repeated.
   *
   * @param experiment what the branch is a run of
   */
  static Fork again(SavedRun branch, SavedRun.Branch off, Experiment experiment) {
    try {
      SavedRun parent = SavedRun.readWithoutMetrics(whereabouts(branch, off));
      SavedCut cut = cut(parent.directory(), OptionalInt.of(off.rounds()));
      return new Fork(parent, CutOffRun.experimentOf(parent), experiment, cut);
    } catch (UserException e) {
      throw new UserException(
          "%s branched off %s after round %d and can only begin there: %s"
              .formatted(branch.directory().path(), off.run(), off.rounds(), e.getMessage()),
          e);
    }
  }

  /** Runs that were moved together stay beside each other. */
  private static Path whereabouts(SavedRun branch, SavedRun.Branch off) {
    Path beside =
        branch.directory().path().toAbsolutePath().resolveSibling(off.run().getFileName());
    return Files.exists(off.run()) || !Files.exists(beside) ? off.run() : beside;
  }

  /** One that another process has chosen and checked. */
  static Fork chosen(Path directory, int rounds, List<String> assignments) {
    SavedRun parent = SavedRun.readWithoutMetrics(directory);
    try {
      return of(parent, SavedCut.knownGood(parent.directory().checkpoints(), rounds), assignments);
    } catch (UnusableCut e) {
      throw unusable(parent.directory(), rounds, e);
    }
  }

  private static Fork of(SavedRun parent, SavedCut cut, List<String> assignments) {
    Experiment before = CutOffRun.experimentOf(parent);
    return new Fork(parent, before, assignments.isEmpty() ? before : before.with(assignments), cut);
  }

  private static UserException unusable(RunDirectory directory, int rounds, UnusableCut e) {
    return new UserException(
        "the checkpoint after round %d of %s cannot be used: %s"
            .formatted(rounds, directory.path(), e.reason()),
        e);
  }

  private static SavedCut cut(RunDirectory directory, OptionalInt at) {
    List<Integer> available = SavedCut.available(directory.checkpoints());
    if (available.isEmpty()) {
      throw new UserException(
          "%s has no checkpoints to fork from; run it with --checkpoint 50 to save it every 50 rounds"
              .formatted(directory.path()));
    }
    int rounds = at.orElse(available.getLast());
    if (!available.contains(rounds)) {
      throw new UserException(
          "%s has no checkpoint after round %d; there is one after round %s (checkpoint.keep says how"
                  .formatted(
                      directory.path(),
                      rounds,
                      available.stream().map(String::valueOf).collect(Collectors.joining(", ")))
              + " many are kept)");
    }
    try {
      return SavedCut.at(directory.checkpoints(), rounds);
    } catch (UnusableCut e) {
      throw unusable(directory, rounds, e);
    }
  }

  private void check() {
    if (experiment.nodes().count() != before.nodes().count()) {
      throw refusal(
          "nodes.count",
          "as many nodes as its parent has, %d and not %d"
              .formatted(before.nodes().count(), experiment.nodes().count()));
    }
    if (!Inheritance.isSame(before.model(), experiment.model())) {
      throw refusal("model", "the model of its parent, which its state is of");
    }
    if (experiment.rounds() <= cut.rounds()) {
      throw refusal(
          "rounds",
          "more rounds than the %d that are over at the fork: rounds=%d"
              .formatted(cut.rounds(), experiment.rounds()));
    }
  }

  private UserException refusal(String key, String what) {
    return new UserException(
        "a fork of %s needs %s; set %s so, or begin anew with grapevine run"
            .formatted(parent.directory().path(), what, key));
  }

  Run toRun() {
    Path path = parent.directory().path().toAbsolutePath().normalize();
    return Run.of(experiment)
        .into(path.resolveSibling(path.getFileName() + "-fork"))
        .occupied(Run.Occupied.BESIDE)
        .branching(this)
        .goingOn(
            continuation(1),
            List.of("branches off %s after round %d".formatted(path, cut.rounds())));
  }

  /**
   * What its nodes take over.
   *
   * @param times how often it has begun or been resumed, this time included
   */
  Continuation continuation(int times) {
    return new Continuation(cut, new Inheritance(before, experiment)::of, times);
  }
}
