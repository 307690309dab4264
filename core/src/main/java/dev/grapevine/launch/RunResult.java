package dev.grapevine.launch;

import dev.grapevine.results.RunDirectory;
import dev.grapevine.results.SavedRun;
import dev.grapevine.results.Summary;
import dev.grapevine.runtime.Outcome;

/**
 * What came of a run.
 *
 * @param directory where everything is
 * @param outcome how it ended
 * @param summary its main figures
 */
public record RunResult(RunDirectory directory, Outcome outcome, Summary summary) {

  /** Everything that was recorded, read back from the directory. */
  public SavedRun read() {
    return SavedRun.read(directory.path());
  }
}
