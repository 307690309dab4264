package dev.grapevine.launch;

import dev.grapevine.UserException;
import dev.grapevine.checkpoint.SavedCut;
import dev.grapevine.checkpoint.UnusableCut;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.results.RunDirectory;
import dev.grapevine.results.SavedRun;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What a worker goes on with: the nodes of a run as they were saved. All workers find the same by
 * themselves, since nothing is saved before all are there.
 */
public final class ResumedWork {

  private final Experiment experiment;
  private final Continuation from;

  private ResumedWork(Experiment experiment, Continuation from) {
    this.experiment = experiment;
    this.from = from;
  }

  /**
   * What another process has chosen.
   *
   * @param run the directory of the run
   * @param rounds after how many rounds; where the run began, if it begins again
   * @param assignments settings that have no say in the results
   */
  public static ResumedWork after(Path run, int rounds, List<String> assignments) {
    SavedRun results = SavedRun.readWithoutMetrics(run);
    Experiment experiment = experimentOf(results, assignments);
    if (rounds == 0) {
      return new ResumedWork(experiment, Continuation.again(1));
    }
    Optional<SavedRun.Branch> beginning =
        results.branch().filter(branch -> branch.rounds() == rounds);
    if (beginning.isPresent()) {
      Fork fork = Fork.again(results, beginning.get(), experiment);
      return new ResumedWork(experiment, fork.continuation(2));
    }
    try {
      SavedCut cut = SavedCut.knownGood(new RunDirectory(run).checkpoints(), rounds);
      cut.requireOf(Continuation.identity(experiment));
      return of(experiment, cut);
    } catch (UnusableCut e) {
      throw new UserException(
          "the checkpoint after round %d in %s cannot be used: %s"
              .formatted(rounds, run, e.reason()),
          e);
    }
  }

  /**
   * The same for a run that branches off another.
   *
   * @param parent the directory of the other
   * @param assignments what is changed
   */
  public static ResumedWork branchingOff(Path parent, int rounds, List<String> assignments) {
    Fork fork = Fork.chosen(parent, rounds, assignments);
    return new ResumedWork(fork.experiment(), fork.continuation(1));
  }

  /**
   * The same experiment with the nodes as they were saved later.
   *
   * @param run the directory of the run
   * @param rounds after how many rounds; those that this work begins with, if nothing was saved
   *     since
   */
  public static ResumedWork comingBack(
      Experiment experiment, Optional<ResumedWork> begun, Path run, int rounds) {
    int first = begun.map(work -> work.from.firstRound()).orElse(0);
    if (rounds == first) {
      return begun.orElseGet(() -> new ResumedWork(experiment, Continuation.again(1)));
    }
    try {
      SavedCut cut = SavedCut.knownGood(new RunDirectory(run).checkpoints(), rounds);
      cut.requireOf(Continuation.identity(experiment));
      return new ResumedWork(experiment, Continuation.of(cut, 1));
    } catch (UnusableCut e) {
      throw new UserException(
          "the checkpoint after round %d in %s cannot be used: %s"
              .formatted(rounds, run, e.reason()),
          e);
    }
  }

  /**
   * The newest that was saved of a run; empty if there is no such run, or nothing of it was saved.
   *
   * @param wanted what is to be run; refused if the run is of something else
   */
  public static Optional<ResumedWork> newest(Path run, Experiment wanted) {
    Path checkpoints = new RunDirectory(run).checkpoints();
    if (SavedCut.available(checkpoints).isEmpty()) {
      return Optional.empty();
    }
    SavedCut.Newest newest = SavedCut.newest(checkpoints, Continuation.identity(wanted));
    SavedCut cut =
        newest
            .cut()
            .orElseThrow(() ->
                new UserException(
                    "the run in %s cannot be resumed: %s; give another --out"
                        .formatted(run, String.join("; ", newest.complaints()))));
    return Optional.of(of(experimentOf(SavedRun.readWithoutMetrics(run), List.of()), cut));
  }

  private static ResumedWork of(Experiment experiment, SavedCut cut) {
    return new ResumedWork(CutOffRun.withUnplanned(experiment, cut), Continuation.of(cut, 1));
  }

  private static Experiment experimentOf(SavedRun run, List<String> assignments) {
    Experiment experiment = CutOffRun.experimentOf(run);
    return assignments.isEmpty() ? experiment : experiment.with(assignments);
  }

  /** What is run. */
  public Experiment experiment() {
    return experiment;
  }

  Continuation from() {
    return from;
  }
}
