package dev.grapevine.app.sweep;

import dev.grapevine.FileProblem;
import dev.grapevine.UserException;
import dev.grapevine.app.console.Interruption;
import dev.grapevine.app.run.ProgressLine;
import dev.grapevine.app.run.TidyHeap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs those points that are not done yet, with one line about all of them.
 *
 * @param sweep the directory that holds those of the points
 * @param parallel how many at a time
 * @param dataDirectory where data sets are
 * @param command what was typed; recorded with every run
 */
public record MissingRuns(Path sweep, int parallel, Path dataDirectory, List<String> command) {

  /**
   * How it went.
   *
   * @param failures what went wrong, by the name of the point
   * @param interrupted whether it was told to stop; then some points have not been run
   */
  public record Ended(Map<String, String> failures, boolean interrupted) {}

  /** Runs what is missing of the points. */
  public Ended of(List<PointDirectory> points) {
    SweepRunner.Report report = run(points);
    Map<String, String> failures = new LinkedHashMap<>();
    report.failures().forEach((point, reason) -> failures.put(point.label(), reason));
    return new Ended(failures, report.interrupted());
  }

  SweepRunner.Report run(List<PointDirectory> points) {
    List<PointDirectory> missing = points.stream().filter(point -> !point.isDone()).toList();
    if (parallel > 1) {
      MemoryNeed.check(
          missing.stream().map(point -> point.point().experiment()).toList(),
          parallel,
          Runtime.getRuntime().maxMemory(),
          dataDirectory);
    }
    createDirectory(sweep);
    try (TidyHeap heap = TidyHeap.open();
        ProgressLine line = new ProgressLine();
        Interruption interruption = Interruption.ofThisThread()) {
      SweepProgress progress =
          new SweepProgress(line, points.size() - missing.size(), points.size());
      return new SweepRunner(missing, parallel, dataDirectory, command).run(progress::of);
    }
  }

  static void createDirectory(Path sweep) {
    try {
      Files.createDirectories(sweep);
    } catch (IOException e) {
      throw new UserException(
          "cannot create the directory " + sweep + ": " + FileProblem.reason(e), e);
    }
  }
}
