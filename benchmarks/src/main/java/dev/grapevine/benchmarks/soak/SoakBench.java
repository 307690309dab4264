package dev.grapevine.benchmarks.soak;

import dev.grapevine.benchmarks.Benchmark;
import dev.grapevine.benchmarks.measure.Memory;
import dev.grapevine.benchmarks.measure.ProcessorTime;
import dev.grapevine.benchmarks.report.Figure;
import dev.grapevine.benchmarks.report.Output;
import dev.grapevine.benchmarks.report.Report;
import dev.grapevine.benchmarks.report.Table;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.launch.Run;
import dev.grapevine.launch.RunProgress;
import dev.grapevine.launch.RunResult;
import dev.grapevine.results.Attendance;
import dev.grapevine.runtime.Outcome.Ending;
import dev.grapevine.runtime.report.NodeOutcome;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code grapevine bench soak}. */
@Command(
    name = "soak",
    description =
        "A run over real sockets for an hour, whose nodes crash and come back with their newest"
            + " checkpoint: what it holds must not grow. It uses a part of one core.",
    mixinStandardHelpOptions = true)
public final class SoakBench implements Benchmark, Callable<Integer> {

  /** Rounds take this long, so that the machine is free for others. */
  private static final Duration PACE = Duration.ofMillis(500);

  private static final int LOOKS = 120;
  private static final int ROWS = 12;

  @Mixin private Output output;

  @Option(names = "--minutes", description = "How long (default 60).")
  private double minutes = 60;

  @Option(names = "--nodes", description = "How many nodes (default 64).")
  private int nodes = 64;

  @Option(names = "--seed", description = "Of the crashes (default 90).")
  private long seed = 90;

  @Option(names = "--quick", description = "A second, of few nodes: shows that it works.")
  private boolean quick;

  /** What the process held at one moment. */
  private record Look(
      double minutes, int round, double resident, double heap, double descriptors, int threads) {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    Duration length = quick ? Duration.ofSeconds(1) : Duration.ofMillis((long) (minutes * 60_000));
    Path folder = Files.createTempDirectory("grapevine-soak");
    try {
      return soak(folder, experiment(quick ? 6 : nodes, quick ? 0.02 : 1), length);
    } finally {
      try (Stream<Path> all = Files.walk(folder)) {
        for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
          Files.deleteIfExists(each);
        }
      }
    }
  }

  /**
   * @param scale of all times
   */
  private Experiment experiment(int count, double scale) {
    String pace = millis(PACE.toMillis() * scale);
    String slow =
        IntStream.range(0, count)
            .mapToObj(node -> "{fault = \"is-slow\", node = %d, delay = %s}".formatted(node, pace))
            .collect(Collectors.joining(", ", "[", "]"));
    return Experiment.parse(
        """
        name = "soak"
        seed = %d
        rounds = 1000000
        [nodes]
        count = %d
        [topology]
        kind = "regular"
        degree = 4
        [data]
        set = "blobs"
        [model]
        kind = "mlp"
        hidden = 32
        [training]
        steps = 1
        [evaluation]
        every = 50
        [checkpoint]
        every = 20
        [runtime]
        kind = "live"
        [network]
        transport = "tcp"
        [faults]
        missing = "go-on"
        deadline = %s
        inject = %s
        churn = {kind = "rate", up = %s, down = %s, with = "checkpoint"}
        """
            .formatted(
                seed,
                count,
                millis(2000 * scale),
                slow,
                millis(60_000 * scale),
                millis(10_000 * scale)));
  }

  private static String millis(double millis) {
    return "\"%d ms\"".formatted(Math.max(1, Math.round(millis)));
  }

  private int soak(Path folder, Experiment experiment, Duration length)
      throws IOException, InterruptedException {
    AtomicReference<@Nullable RunProgress> progress = new AtomicReference<>();
    CompletableFuture<Boolean> begun = new CompletableFuture<>();
    FutureTask<RunResult> run =
        new FutureTask<>(() ->
            Run.of(experiment)
                .into(folder.resolve("run"))
                .sharesProcess(true)
                .listener(state -> {
                  progress.set(state);
                  begun.complete(true);
                })
                .start());
    Thread runner = Thread.ofPlatform().name("soak").start(run);
    double processor = ProcessorTime.ofProcess();
    long start = System.nanoTime();
    List<Look> looks = new ArrayList<>();
    for (int i = 0; i < LOOKS && !run.isDone(); i++) {
      runner.join(length.dividedBy(LOOKS));
      looks.add(look(start, progress.get()));
      if (i % (LOOKS / ROWS) == 0) {
        Look now = looks.getLast();
        output.progress(
            "%.1f min: round %d, %.0f MiB resident, %.0f MiB of heap, %.0f descriptors, %d threads",
            now.minutes(),
            now.round(),
            now.resident(),
            now.heap(),
            now.descriptors(),
            now.threads());
      }
    }
    double cores = (ProcessorTime.ofProcess() - processor) / (System.nanoTime() - start) * 1e9;
    boolean endedByItself = run.isDone();
    if (!endedByItself) {
      begun.join();
      runner.interrupt();
    }
    RunResult result;
    try {
      result = run.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
    output.print(report(looks, result, endedByItself, cores));
    return 0;
  }

  private static Look look(long start, @Nullable RunProgress progress) throws IOException {
    // Collects first: what is garbage has not grown.
    double heap = Memory.usedHeap() / (double) (1 << 20);
    return new Look(
        (System.nanoTime() - start) / 60e9,
        progress == null ? 0 : progress.round(),
        Memory.residentMegabytes(),
        heap,
        Memory.descriptors(),
        ManagementFactory.getThreadMXBean().getThreadCount());
  }

  private Report report(List<Look> looks, RunResult result, boolean endedByItself, double cores) {
    Report report = new Report("soak");
    report.fact("of a core", cores);
    Table table =
        report.table(
            "looks",
            "What the process held",
            "minutes",
            "round",
            "resident MiB",
            "heap MiB",
            "descriptors",
            "threads");
    for (int i = 0; i < looks.size(); i += Math.max(1, LOOKS / ROWS)) {
      Look look = looks.get(i);
      table.row(
          look.minutes(),
          look.round(),
          look.resident(),
          look.heap(),
          look.descriptors(),
          look.threads());
    }
    report.figure(
        Figure.of(
                "most memory in the last quarter against the second",
                growth(looks, Look::resident),
                "x")
            .atMost(1.05));
    report.figure(
        Figure.of(
                "most descriptors in the last quarter against the second",
                growth(looks, Look::descriptors),
                "x")
            .atMost(1.05));
    report.figure(Figure.of("rounds", looks.getLast().round(), ""));
    report.figure(
        Figure.of(
            "nodes that came back",
            result.summary().attendance().map(Attendance::restarts).orElse(0L),
            ""));
    report.figure(Figure.of("ended before its time", endedByItself ? 1 : 0, "").atMost(0));
    report.figure(
        Figure.of(
                "nodes that failed",
                result.outcome().nodes().stream()
                    .filter(node -> node.status() == NodeOutcome.Status.FAILED)
                    .count(),
                "")
            .atMost(0));
    if (result.outcome().ending() != Ending.INTERRUPTED) {
      report.fact("ending", result.outcome().reason());
    }
    return report;
  }

  private static double growth(List<Look> looks, ToDoubleFunction<Look> what) {
    return most(looks, what, 3) / most(looks, what, 1);
  }

  private static double most(List<Look> looks, ToDoubleFunction<Look> what, int quarter) {
    return looks.subList(quarter * looks.size() / 4, (quarter + 1) * looks.size() / 4).stream()
        .mapToDouble(what)
        .max()
        .orElse(Double.NaN);
  }
}
