package dev.grapevine.benchmarks.workers;

import dev.grapevine.app.DataFolder;
import dev.grapevine.benchmarks.Benchmark;
import dev.grapevine.benchmarks.measure.Median;
import dev.grapevine.benchmarks.report.Figure;
import dev.grapevine.benchmarks.report.Output;
import dev.grapevine.benchmarks.report.Report;
import dev.grapevine.benchmarks.report.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code grapevine bench workers}. */
@Command(
    name = "workers",
    description =
        "What it costs to run 16 nodes in 1, 4 or 16 processes, with TLS, and 256 nodes in 64.",
    mixinStandardHelpOptions = true)
public final class WorkersBench implements Benchmark, Callable<Integer> {

  private static final int NODES = 16;
  private static final int QUICK_NODES = 4;
  private static final String ONE = "one";
  private static final String TWO = "2 x 2";
  private static final String FOUR = "4 x 4";
  private static final String SIXTEEN = "16 x 1";
  private static final String TLS = "4 x 4, TLS";

  /**
   * What a node's round of 3 steps took when the ratios were wished for, in ms of processor time.
   * Training has become many times as fast since, and a message has not: what a process more may
   * add is therefore also told in ms, which compare across machines and builds.
   */
  private static final double OLD_ROUND = 30;

  @Mixin private Output output;

  @Mixin private DataFolder data = new DataFolder();

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "400",
      description =
          "Rounds of a run, of which the last two fifths are measured, when the compilers have done"
              + " most of their work (default 400).")
  private int rounds;

  @Option(
      names = "--turns",
      paramLabel = "N",
      defaultValue = "2",
      description = "How often each is run, in turns (default 2).")
  private int turns;

  @Option(names = "--large", description = "Also start 64 processes with 4 nodes each.")
  private boolean large;

  @Option(
      names = "--kills",
      description =
          "Only kill a worker at each moment of a run, where the run is to end and where it is to"
              + " go on.")
  private boolean kills;

  @Option(
      names = "--only",
      paramLabel = "WAY",
      split = ",",
      description = "Only these: one, 4x4, 16x1, tls (default: all).")
  private List<String> only = List.of();

  @Option(
      names = "--quick",
      description = "Few nodes and rounds: shows that it works, the figures mean little.")
  private boolean quick;

  /** A way to run the experiment. */
  private record Way(String key, String name, int workers, String... options) {}

  private List<Way> ways() {
    if (quick) {
      return List.of(new Way("one", ONE, 1), new Way("2", TWO, 2));
    }
    return Stream.of(
            new Way("one", ONE, 1),
            new Way("4x4", FOUR, 4),
            new Way("tls", TLS, 4, "--tls", "always"),
            new Way("16x1", SIXTEEN, NODES))
        .filter(way -> only.isEmpty() || only.contains(way.key()))
        .toList();
  }

  @Override
  public Integer call() throws Exception {
    if (kills) {
      return kill();
    }
    List<Way> ways = ways();
    Map<String, List<LaunchedRun>> results = new LinkedHashMap<>();
    for (int turn = 0; turn < (quick ? 1 : turns); turn++) {
      for (Way way : ways) {
        output.progress("turn %d: %s ...", turn + 1, way.name());
        results
            .computeIfAbsent(way.name(), name -> new ArrayList<>())
            .add(run(quick ? QUICK_NODES : NODES, quick ? 6 : rounds, way));
      }
    }
    Report report = report(results, quick ? QUICK_NODES : NODES);
    if (large) {
      output.progress("64 x 4 ...");
      LaunchedRun many = run(256, 4, new Way("64x4", "64 x 4", 64, "--join-within", "600"));
      report.figure(Figure.of("64 x 4: from the command to the start", many.secondsToStart(), "s"));
      report.figure(Figure.of("64 x 4: resident", many.residentMegabytes(), "MiB"));
    }
    output.print(report);
    return 0;
  }

  private int kill() throws IOException, InterruptedException {
    Report report = new Report("workers killed");
    Table table =
        report.table(
            "kills",
            "A worker of three is killed (seconds until the launcher had told of it or had ended)",
            "moment and policy",
            "exit code",
            "seconds",
            "as it should be");
    int good = 0;
    int all = 0;
    for (KillMatrix.Moment moment : KillMatrix.Moment.values()) {
      for (KillMatrix.Policy policy : KillMatrix.Policy.values()) {
        String name = moment + ", " + policy.name().toLowerCase(Locale.ROOT);
        output.progress("%s ...", name);
        KillMatrix.Ended ended =
            inScratch(folder -> new KillMatrix(folder, data.path(), moment, policy).run());
        if (!ended.problem().isEmpty()) {
          output.progress("%s: %s", name, ended.problem());
        }
        table.row(name, ended.code(), ended.seconds(), ended.problem().isEmpty());
        good += ended.problem().isEmpty() ? 1 : 0;
        all++;
      }
    }
    report.figure(Figure.of("as it should be", good, "cases").atLeast(all));
    output.print(report);
    return good == all ? 0 : 1;
  }

  private LaunchedRun run(int nodes, int length, Way way) throws IOException, InterruptedException {
    return inScratch(scratch -> {
      Path file = Files.writeString(scratch.resolve("workers.toml"), toml(nodes, length));
      return LaunchedRun.of(
          file, way.workers(), data.path(), scratch.resolve("run"), way.options());
    });
  }

  /** What is done in a folder that is gone afterwards. */
  @FunctionalInterface
  private interface Work<T> {
    T in(Path folder) throws IOException, InterruptedException;
  }

  private static <T> T inScratch(Work<T> work) throws IOException, InterruptedException {
    Path scratch = Files.createTempDirectory("grapevine-workers");
    try {
      return work.in(scratch);
    } finally {
      try (Stream<Path> inside = Files.walk(scratch)) {
        for (Path path : inside.sorted(Comparator.reverseOrder()).toList()) {
          Files.deleteIfExists(path);
        }
      }
    }
  }

  /** GN-LeNet on a graph of degree 5, as the figures are asked for; hardly any evaluation. */
  private String toml(int nodes, int length) {
    return """
    name = "workers"
    rounds = %d
    [nodes]
    count = %d
    [topology]
    kind = "regular"
    degree = %d
    [data]
    set = "%s"
    [model]
    kind = "%s"
    [training]
    rate = 0.01
    batch-size = 8
    steps = 3
    [evaluation]
    every = %d
    samples = 1
    nodes = 1
    [runtime]
    kind = "live"
    """
        .formatted(
            length,
            nodes,
            nodes < 8 ? 2 : 5,
            quick ? "digits" : "fashion-mnist-mini",
            quick ? "logistic" : "gn-lenet",
            length < 20 ? 1 : 10);
  }

  private static Report report(Map<String, List<LaunchedRun>> results, int nodes) {
    Report report = new Report("workers");
    Table table =
        report.table(
            "runs",
            "%d nodes in several workers: the later rounds (medians)".formatted(nodes),
            "workers",
            "ms a round",
            "processor ms a round",
            "processor ms a node-round",
            "seconds to the start",
            "resident MiB");
    results.forEach((name, runs) ->
        table.row(
            name,
            1e3 * median(runs, LaunchedRun::secondsPerRound),
            1e3 * median(runs, LaunchedRun::processorSecondsPerRound),
            1e3 * median(runs, LaunchedRun::processorSecondsPerRound) / nodes,
            median(runs, LaunchedRun::secondsToStart),
            median(runs, LaunchedRun::residentMegabytes)));
    if (results.get(TWO) != null && results.get(ONE) != null) {
      report.figure(
          Figure.of(
              "2 x 2 against one, a round by the clock",
              ratio(results.get(TWO), results.get(ONE), LaunchedRun::secondsPerRound),
              "times"));
    }
    compare(report, results, FOUR, ONE, 1.05);
    compare(report, results, SIXTEEN, ONE, 1.15);
    compare(report, results, TLS, FOUR, 1.08);
    List<LaunchedRun> sixteen = results.get(SIXTEEN);
    if (sixteen != null) {
      report.figure(
          Figure.of(
                  "16 x 1: from the command to the start",
                  median(sixteen, LaunchedRun::secondsToStart),
                  "s")
              .atMost(6));
      report.figure(
          Figure.of("16 x 1: resident", median(sixteen, LaunchedRun::residentMegabytes), "MiB")
              .atMost(2560));
    }
    return report;
  }

  /** What one way takes against another, if both were run. */
  private static void compare(
      Report report,
      Map<String, List<LaunchedRun>> results,
      String name,
      String against,
      double wanted) {
    List<LaunchedRun> runs = results.get(name);
    List<LaunchedRun> others = results.get(against);
    if (runs == null || others == null) {
      return;
    }
    String what = "%s against %s, a round".formatted(name, against);
    report.figure(
        Figure.of(
                what + " by the clock", ratio(runs, others, LaunchedRun::secondsPerRound), "times")
            .atMost(wanted));
    report.figure(
        Figure.of(
                what + " by processor time",
                ratio(runs, others, LaunchedRun::processorSecondsPerRound),
                "times")
            .atMost(wanted));
    double more =
        median(runs, LaunchedRun::processorSecondsPerRound)
            - median(others, LaunchedRun::processorSecondsPerRound);
    report.figure(
        Figure.of(
                "%s: a node's round takes more than with %s".formatted(name, against),
                1e3 * more / NODES,
                "ms of processor time")
            .atMost((wanted - 1) * OLD_ROUND));
  }

  private static double ratio(
      List<LaunchedRun> one, List<LaunchedRun> other, ToDoubleFunction<LaunchedRun> figure) {
    return median(one, figure) / median(other, figure);
  }

  private static double median(List<LaunchedRun> runs, ToDoubleFunction<LaunchedRun> figure) {
    return Median.of(runs.stream().mapToDouble(figure).toArray());
  }
}
