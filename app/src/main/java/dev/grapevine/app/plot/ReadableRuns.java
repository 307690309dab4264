package dev.grapevine.app.plot;

import dev.grapevine.FileProblem;
import dev.grapevine.UserException;
import dev.grapevine.results.RunDirectory;
import dev.grapevine.results.RunSelection;
import dev.grapevine.results.SavedRun;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Reads several runs, on all cores; one that cannot be read is told and left out. */
public final class ReadableRuns {

  private sealed interface Reading {
    record Read(SavedRun run) implements Reading {}

    record Unreadable(UserException reason) implements Reading {}
  }

  private ReadableRuns() {}

  /**
   * All that can be read, in their order; a {@link UserException} when there is none. The directory
   * of a sweep, or any other that holds runs, stands for all runs in it.
   */
  public static List<SavedRun> read(List<Path> given, PrintWriter err) {
    List<Path> paths = given.stream().flatMap(path -> runsIn(path).stream()).distinct().toList();
    List<SavedRun> runs = new ArrayList<>();
    for (Reading reading : paths.parallelStream().map(ReadableRuns::read).toList()) {
      switch (reading) {
        case Reading.Read(SavedRun run) -> {
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

  /**
   * Groups of those that can be read and count; what was left out is told.
   *
   * @param unfinished whether runs count that did not get to their end
   */
  public static RunSelection select(List<Path> paths, boolean unfinished, PrintWriter err) {
    RunSelection selection = RunSelection.of(read(paths, err), unfinished);
    selection.notes().forEach(err::println);
    err.flush();
    return selection;
  }

  /** The path itself, or the runs that it holds if it is none. */
  static List<Path> runsIn(Path path) {
    if (!Files.isDirectory(path) || isRun(path)) {
      return List.of(path);
    }
    try (Stream<Path> inside = Files.list(path)) {
      List<Path> runs = inside.filter(ReadableRuns::isRun).sorted().toList();
      return runs.isEmpty() ? List.of(path) : runs;
    } catch (IOException e) {
      throw new UserException(
          "cannot read the directory %s: %s".formatted(path, FileProblem.reason(e)), e);
    }
  }

  private static boolean isRun(Path path) {
    RunDirectory directory = new RunDirectory(path);
    return Files.exists(directory.experimentFile()) || Files.exists(directory.metricsFile());
  }

  private static Reading read(Path path) {
    try {
      return new Reading.Read(SavedRun.read(path));
    } catch (UserException reason) {
      return new Reading.Unreadable(reason);
    }
  }

  /** Says what is wrong with a run; whether there is something in it. */
  private static boolean tell(SavedRun run, PrintWriter err) {
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
