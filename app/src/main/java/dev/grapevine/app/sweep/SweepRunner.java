package dev.grapevine.app.sweep;

import dev.grapevine.UserException;
import dev.grapevine.launch.ProgressListener;
import dev.grapevine.launch.Run;
import dev.grapevine.runtime.Outcome;
import dev.grapevine.settings.OwnCode;
import dev.grapevine.settings.SettingException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;

/**
 * Runs points, some at a time. One that fails does not keep the others from running.
 *
 * @param points those that are not done
 * @param parallel how many at a time
 * @param dataDirectory where data sets are
 * @param command what was typed; recorded with every run
 */
record SweepRunner(
    List<PointDirectory> points, int parallel, Path dataDirectory, List<String> command) {

  /**
   * How it went.
   *
   * @param failures what went wrong, by point
   * @param interrupted whether it was told to stop; then some points have not been run
   */
  record Report(Map<PointDirectory, String> failures, boolean interrupted) {}

  Report run(Function<PointDirectory, ProgressListener> listeners) {
    Map<PointDirectory, String> failures = Collections.synchronizedMap(new LinkedHashMap<>());
    boolean interrupted = false;
    try (ExecutorService threads =
        Executors.newFixedThreadPool(parallel, Thread.ofPlatform().name("sweep-", 0).factory())) {
      List<Future<?>> runs = new ArrayList<>();
      for (PointDirectory point : points) {
        runs.add(threads.submit(() -> run(point, listeners.apply(point), failures)));
      }
      try {
        for (Future<?> run : runs) {
          run.get();
        }
      } catch (InterruptedException e) {
        interrupted = true;
        threads.shutdownNow();
      } catch (ExecutionException e) {
        threads.shutdownNow();
        throw new IllegalStateException("a run of the sweep has gone wrong", e.getCause());
      }
    }
    return new Report(new LinkedHashMap<>(failures), interrupted);
  }

  private void run(
      PointDirectory point, ProgressListener listener, Map<PointDirectory, String> failures) {
    point.clear();
    try {
      Outcome outcome =
          Run.of(point.point().experiment())
              .into(point.path())
              .dataDirectory(dataDirectory)
              .command(command)
              .listener(listener)
              .sharesProcess(true)
              .start()
              .outcome();
      if (outcome.ending() == Outcome.Ending.FAILED || outcome.ending() == Outcome.Ending.STALLED) {
        failures.put(point, outcome.reason());
      }
    } catch (UserException | SettingException e) {
      failures.put(point, String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      // A night's sweep goes on; the table says which point to look at.
      failures.put(point, OwnCode.describe(e));
    }
  }
}
