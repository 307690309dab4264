package dev.grapevine.launch;

import dev.grapevine.UserException;
import dev.grapevine.checkpoint.SavedCut;
import dev.grapevine.checkpoint.UnusableCut;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.results.RunDirectory;
import dev.grapevine.results.SavedRun;
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
    Experiment before = CutOffRun.experimentOf(parent);
    Experiment after = assignments.isEmpty() ? before : before.with(assignments);
    Fork fork = new Fork(parent, before, after, cut(parent.directory(), at));
    fork.check();
    return fork;
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
      throw new UserException(
          "the checkpoint after round %d of %s cannot be used: %s"
              .formatted(rounds, directory.path(), e.reason()),
          e);
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
    Inheritance inheritance = new Inheritance(before, experiment);
    Path path = parent.directory().path().toAbsolutePath().normalize();
    return Run.of(experiment)
        .into(path.resolveSibling(path.getFileName() + "-fork"))
        .occupied(Run.Occupied.BESIDE)
        .branching(this)
        .goingOn(
            new Continuation(cut, inheritance::of, 1),
            List.of("branches off %s after round %d".formatted(path, cut.rounds())));
  }
}
