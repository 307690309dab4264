package dev.grapevine.launch;

import dev.grapevine.UserException;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.results.Provenance;
import dev.grapevine.results.RunDirectory;
import dev.grapevine.results.SavedRun;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/** Prepares the directory of a run that goes on. */
final class ResumedDirectory {

  private ResumedDirectory() {}

  /** Takes back what was recorded after the cut and notes that the run goes on. */
  static void reopen(
      RunDirectory directory,
      Experiment experiment,
      Assembly assembly,
      Continuation from,
      List<String> command) {
    SavedRun before = SavedRun.readWithoutMetrics(directory.path());
    if (before.summary().isPresent() && before.isComplete()) {
      throw new UserException(
          "%s has been resumed by somebody else meanwhile, and is complete"
              .formatted(directory.path()));
    }
    requireSameData(before, DataFingerprint.of(assembly.data()));
    directory.reopen(from.firstRound() - 1);
    directory.writeExperiment(experiment.toToml());
    before
        .provenance()
        .ifPresent(json ->
            directory.writeProvenance(
                Provenance.resumed(json, Version.TEXT, from.firstRound(), command)));
  }

  private static void requireSameData(SavedRun before, SequencedMap<String, String> now) {
    for (Map.Entry<String, String> set : now.entrySet()) {
      String then =
          before
              .provenance()
              .map(json -> json.path("data_hashes").path(set.getKey()).asString(""))
              .orElse("");
      if (!then.isEmpty() && !then.equals(set.getValue())) {
        throw new UserException(
            "%s is not what it was when the run began, so it cannot be resumed; put the data back"
                    .formatted(set.getKey())
                + " or run it again");
      }
    }
  }
}
