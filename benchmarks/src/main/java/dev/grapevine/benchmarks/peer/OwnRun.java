package dev.grapevine.benchmarks.peer;

import dev.grapevine.benchmarks.measure.Memory;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.launch.Run;
import dev.grapevine.launch.RunResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Runs an experiment in a JVM of its own and prints a {@link Showing}. Arguments: the file, the
 * folder for results, the folder of data sets, when the process was started (milliseconds).
 */
final class OwnRun {

  private OwnRun() {}

  public static void main(String[] arguments) throws IOException {
    Experiment experiment = Experiment.read(Path.of(arguments[0]));
    long started = Long.parseLong(arguments[3]);
    AtomicLong first = new AtomicLong();
    AtomicLong last = new AtomicLong();
    double ofFirst = 1.0 / experiment.rounds();
    RunResult result =
        Run.of(experiment)
            .into(Path.of(arguments[1]))
            .dataDirectory(Path.of(arguments[2]))
            .listener(progress -> {
              long now = System.currentTimeMillis();
              if (progress.done() >= ofFirst) {
                first.compareAndSet(0, now);
              }
              last.accumulateAndGet(now, Math::max);
            })
            .start();
    System.out.println(
        "%s %s %s %s"
            .formatted(
                (experiment.rounds() - 1) * 1e3 / Math.max(1, last.get() - first.get()),
                (first.get() - started) / 1e3,
                Memory.peakMegabytes(),
                result.summary().bytesSent().mean() / experiment.rounds()));
  }
}
