package dev.grapevine.launch;

import dev.grapevine.FileProblem;
import dev.grapevine.UserException;
import dev.grapevine.checkpoint.SavedCut;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.results.SavedRun;
import dev.grapevine.results.SignsOfLife;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * A run that did not come to its end.
 *
 * @param results what it recorded of itself
 * @param experiment as it was run
 * @param assignments what is to be set anew for the rest of it
 */
record CutOffRun(SavedRun results, Experiment experiment, List<String> assignments) {

  static CutOffRun read(Path directory, List<String> assignments) {
    SavedRun results = SavedRun.readWithoutMetrics(directory);
    return new CutOffRun(results, experimentOf(results), assignments);
  }

  /** The experiment of a run, with relative paths starting where they did then. */
  static Experiment experimentOf(SavedRun run) {
    Path file = run.directory().experimentFile();
    try {
      String folder = run.provenance().map(json -> json.path("folder").asString("")).orElse("");
      return Experiment.parse(Files.readString(file), Path.of(folder));
    } catch (IOException e) {
      throw new UserException(
          "cannot read the experiment of %s: %s"
              .formatted(run.directory().path(), FileProblem.reason(e)),
          e);
    }
  }

  Run toRun() {
    Path directory = results.directory().path();
    if (results.summary().isPresent() && results.isComplete()) {
      throw new UserException(
          "%s is complete (%s), there is nothing to resume; to go on from it with more rounds, fork"
                  .formatted(directory, results.outcome())
              + " it");
    }
    if (results.summary().isEmpty() && SignsOfLife.isOtherProcessThere(results.provenance())) {
      throw new UserException(
          "%s still goes, in the process %s: stop that first"
              .formatted(
                  directory,
                  results
                      .provenance()
                      .map(json -> json.path("process_id").asString())
                      .orElse("?")));
    }
    Experiment changed = changed();
    SavedCut.Newest newest =
        SavedCut.newest(results.directory().checkpoints(), Continuation.identity(changed));
    List<String> notes = new ArrayList<>(newest.complaints());
    if (newest.cut().isEmpty()) {
      return beginAgain(directory, changed, notes);
    }
    SavedCut cut = newest.cut().get();
    notes.add("goes on after round %d of %d".formatted(cut.rounds(), changed.rounds()));
    return Run.of(withUnplanned(changed, cut))
        .into(directory)
        .occupied(Run.Occupied.CONTINUE)
        .goingOn(Continuation.of(cut, 1 + timesResumed()), notes);
  }

  /** Only what has no say in the results may be another than before. */
  private Experiment changed() {
    Experiment changed = assignments.isEmpty() ? experiment : experiment.with(assignments);
    if (!Continuation.identity(changed).equals(Continuation.identity(experiment))) {
      throw new UserException(
          "a resumed run goes on as it began: only runtime.threads, runtime.stall-after and"
              + " checkpoint.keep can be set; to change something else, fork it");
    }
    return changed;
  }

  /** A cut that a signal asked for takes time on a virtual clock: so it is part of the run now. */
  static Experiment withUnplanned(Experiment experiment, SavedCut cut) {
    if (cut.isPlanned() || experiment.checkpoint().also().contains(cut.rounds())) {
      return experiment;
    }
    List<Integer> also = new ArrayList<>(experiment.checkpoint().also());
    also.add(cut.rounds());
    return experiment.with("checkpoint.also", also.toString());
  }

  private Run beginAgain(Path directory, Experiment changed, List<String> notes) {
    if (!notes.isEmpty()) {
      throw new UserException(
          "%s cannot be resumed: %s; start it again with grapevine run"
              .formatted(directory, String.join("; ", notes)));
    }
    if (!changed.checkpoint().isOn()) {
      throw new UserException(
          "%s was run without checkpoints, so there is nothing to resume from; start it again with"
                  .formatted(directory)
              + " --checkpoint 50 to save it every 50 rounds");
    }
    Run run = Run.of(changed).into(directory).occupied(Run.Occupied.CONTINUE);
    Optional<SavedRun.Branch> branch = results.branch();
    if (branch.isEmpty()) {
      return run.goingOn(
          Continuation.again(1 + timesResumed()),
          List.of("no checkpoint was complete yet: begins again"));
    }
    Fork fork = Fork.again(results, branch.get(), changed);
    return run.branching(fork)
        .goingOn(
            // Its first beginning counts as one.
            fork.continuation(2 + timesResumed()),
            List.of(
                "no checkpoint was complete yet: begins again after round %d of %s"
                    .formatted(fork.cut().rounds(), fork.parent().directory().path())));
  }

  private int timesResumed() {
    return results.provenance().map(json -> json.path("resumed")).map(JsonNode::size).orElse(0);
  }
}
