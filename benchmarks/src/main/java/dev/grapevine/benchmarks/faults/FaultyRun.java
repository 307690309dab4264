package dev.grapevine.benchmarks.faults;

import dev.grapevine.experiment.Experiment;
import dev.grapevine.launch.Run;
import dev.grapevine.launch.RunResult;
import dev.grapevine.results.MetricColumn;
import dev.grapevine.results.Metrics;
import dev.grapevine.runtime.Outcome.Ending;
import dev.grapevine.runtime.fault.FaultPolicy;
import dev.grapevine.runtime.report.NodeOutcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An experiment in which something goes wrong on purpose.
 *
 * @param name what it is called in a list
 * @param replay the command that repeats it
 * @param keepsMean whether its nodes hardly train and nothing that they say is lost, so that the
 *     mean of their models must stay where it was
 */
record FaultyRun(String name, Experiment experiment, String replay, boolean keepsMean) {

  private static final Duration GLANCE = Duration.ofMillis(100);

  /**
   * After so many glances a run of some seconds that goes on hangs. Glances rather than seconds: a
   * process that was stopped for a while has not hung.
   */
  private static final int PATIENCE = 900;

  /** What the little training and rounding may move the mean of a coordinate by. */
  private static final double MOST_SHIFT = 0.002;

  /**
   * Runs it in {@code folder}, which is emptied again; what was wrong about its end, if anything.
   */
  Optional<String> complaint(Path folder) {
    AtomicReference<@Nullable RunResult> result = new AtomicReference<>();
    AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
    Thread thread =
        Thread.ofPlatform()
            .name("faulty run")
            .start(() -> {
              try {
                result.set(
                    Run.of(experiment)
                        .into(folder.resolve("run"))
                        .savesModels(keepsMean)
                        .sharesProcess(true)
                        .start());
              } catch (RuntimeException | Error e) {
                thrown.set(e);
              }
            });
    try {
      if (!ends(thread)) {
        thread.interrupt();
        return Optional.of("hangs");
      }
      RunResult ended = result.get();
      if (ended == null) {
        return Optional.of("throws " + thrown.get());
      }
      return judge(ended).or(() -> keepsMean ? shift(folder) : Optional.empty());
    } catch (InterruptedException e) {
      thread.interrupt();
      Thread.currentThread().interrupt();
      return Optional.of("interrupted");
    } finally {
      empty(folder);
    }
  }

  private static boolean ends(Thread thread) throws InterruptedException {
    for (int glance = 0; glance < PATIENCE; glance++) {
      if (thread.join(GLANCE)) {
        return true;
      }
    }
    return false;
  }

  private Optional<String> judge(RunResult result) {
    Ending ending = result.outcome().ending();
    if (ending == Ending.INTERRUPTED || ending == Ending.STOPPED) {
      return Optional.of("ended as " + ending);
    }
    if (result.outcome().reason().isEmpty() != (ending == Ending.DONE)) {
      return Optional.of("does not say why it " + ending);
    }
    if (ending == Ending.DONE
        && result.outcome().nodes().stream()
            .anyMatch(node -> node.status() == NodeOutcome.Status.STOPPED)) {
      return Optional.of("is done, yet nodes were stopped");
    }
    if (keepsMean && ending != Ending.DONE) {
      return Optional.of(
          "ended as %s, though nothing is lost: %s".formatted(ending, result.outcome().reason()));
    }
    if (ending == Ending.STALLED && mayGoOn()) {
      return Optional.of("is stalled, though its nodes may go on: " + result.outcome().reason());
    }
    Optional<MetricColumn> weights = result.read().metric("push_sum_weight");
    if (weights.isPresent() && !isPositive(weights.get())) {
      return Optional.of("has weights that are not positive");
    }
    Optional<MetricColumn> losses = result.read().metric(Metrics.TEST_LOSS);
    return losses.isEmpty() || isFinite(losses.get())
        ? Optional.empty()
        : Optional.of("has losses that are not finite");
  }

  /** Where the mean has gone, against that of nodes that have just begun. */
  private Optional<String> shift(Path folder) {
    Path begun = folder.resolve("begun");
    Run.of(
            experiment
                .with("protocol.kind", "\"no-communication\"")
                .with("rounds", "1")
                .with("faults.duplicates", "0.0")
                .with("faults.held-back", "0.0")
                .with("faults.inject", "[]"))
        .into(begun)
        .savesModels(true)
        .sharesProcess(true)
        .start();
    double[] before = SavedModels.mean(begun, FaultyRuns.NODES);
    double[] after = SavedModels.mean(folder.resolve("run"), FaultyRuns.NODES);
    double most = 0;
    for (int i = 0; i < before.length; i++) {
      most = Math.max(most, Math.abs(after[i] - before[i]));
    }
    // Not "more than": what is not a number is no mean either.
    return most <= MOST_SHIFT
        ? Optional.empty()
        : Optional.of(String.format(Locale.ROOT, "has moved the mean by %.4f", most));
  }

  /** Whether no wait is without an end. */
  private boolean mayGoOn() {
    return experiment.faultPolicy().missing() == FaultPolicy.Missing.GO_ON;
  }

  private static boolean isPositive(MetricColumn weights) {
    return IntStream.range(0, weights.rounds())
        .allMatch(at -> Arrays.stream(weights.values(at)).allMatch(weight -> weight > 0));
  }

  private static boolean isFinite(MetricColumn losses) {
    return IntStream.range(0, losses.rounds())
        .allMatch(at -> Arrays.stream(losses.values(at)).allMatch(Double::isFinite));
  }

  private static void empty(Path folder) {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        if (!each.equals(folder)) {
          Files.deleteIfExists(each);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
