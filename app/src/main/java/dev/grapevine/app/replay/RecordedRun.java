package dev.grapevine.app.replay;

import dev.grapevine.UserException;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.results.SavedRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A run as it was recorded, with the experiment that it was a run of.
 *
 * @param results what it recorded
 * @param experiment with relative paths starting where they did then
 */
record RecordedRun(SavedRun results, Experiment experiment) {

  static RecordedRun read(Path directory) {
    SavedRun results = SavedRun.read(directory);
    Path file = results.directory().experimentFile();
    String toml;
    try {
      toml = Files.readString(file);
    } catch (IOException e) {
      throw new UserException(
          "cannot replay %s: its experiment.toml cannot be read".formatted(directory), e);
    }
    // Runs of before the folder was recorded resolve paths where the command is typed.
    Path folder =
        Path.of(results.provenance().map(json -> json.path("folder").asString("")).orElse(""));
    return new RecordedRun(results, Experiment.parse(toml, folder));
  }

  /** Whether it came to its end; what a run that was cut off lacks is no difference. */
  boolean isComplete() {
    return results
        .summary()
        .map(json -> SavedRun.isComplete(json.path("outcome").asString("")))
        .orElse(false);
  }
}
