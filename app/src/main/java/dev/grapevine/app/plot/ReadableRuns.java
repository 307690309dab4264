package dev.grapevine.app.plot;

import dev.grapevine.UserException;
import dev.grapevine.results.RunResults;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads several runs, on all cores; one that cannot be read is told and left out. */
public final class ReadableRuns {

  private sealed interface Reading {
    record Read(RunResults run) implements Reading {}

    record Unreadable(UserException reason) implements Reading {}
  }

  private ReadableRuns() {}

  /** All that can be read, in their order; a {@link UserException} when there is none. */
  public static List<RunResults> read(List<Path> paths, PrintWriter err) {
    List<RunResults> runs = new ArrayList<>();
    for (Reading reading : paths.parallelStream().map(ReadableRuns::read).toList()) {
      switch (reading) {
        case Reading.Read(RunResults run) -> {
          if (tell(run, err)) {
            runs.add(run);
          }
        }
        case Reading.Unreadable(UserException reason) -> {
          if (paths.size() == 1) {
            throw reason;
          }
          err.println("left out: " + reason.getMessage());
        }
      }
    }
    err.flush();
    if (runs.isEmpty()) {
      throw new UserException("none of the runs has anything to show");
    }
    return runs;
  }

  private static Reading read(Path path) {
    try {
      return new Reading.Read(RunResults.read(path));
    } catch (UserException reason) {
      return new Reading.Unreadable(reason);
    }
  }

  /** Says what is wrong with a run; whether there is something in it. */
  private static boolean tell(RunResults run, PrintWriter err) {
    Path path = run.directory().path();
    boolean empty = run.metrics().isEmpty();
    if (empty) {
      err.println("left out: " + path + " has not recorded anything yet");
    }
    if (run.skippedLines() > 0) {
      err.println(
          "note: " + run.skippedLines() + " lines of " + path + "/metrics.csv make no sense");
    }
    return !empty;
  }
}
