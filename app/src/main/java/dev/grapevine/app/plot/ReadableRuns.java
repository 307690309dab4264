package dev.grapevine.app.plot;

import dev.grapevine.UserException;
import dev.grapevine.results.RunResults;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads several runs; one that cannot be read is told and left out. */
public final class ReadableRuns {

  private ReadableRuns() {}

  /** All that can be read; a {@link UserException} when there is none. */
  public static List<RunResults> read(List<Path> paths, PrintWriter err) {
    List<RunResults> runs = new ArrayList<>();
    for (Path path : paths) {
      try {
        RunResults run = RunResults.read(path);
        if (run.metrics().isEmpty()) {
          err.println("left out: " + path + " has not recorded anything yet");
        } else {
          runs.add(run);
        }
        if (run.skippedLines() > 0) {
          err.println(
              "note: " + run.skippedLines() + " lines of " + path + "/metrics.csv make no sense");
        }
      } catch (UserException e) {
        if (paths.size() == 1) {
          throw e;
        }
        err.println("left out: " + e.getMessage());
      }
    }
    err.flush();
    if (runs.isEmpty()) {
      throw new UserException("none of the runs has anything to show");
    }
    return runs;
  }
}
