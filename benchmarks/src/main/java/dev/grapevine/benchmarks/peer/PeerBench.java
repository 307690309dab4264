package dev.grapevine.benchmarks.peer;

import dev.grapevine.app.DataFolder;
import dev.grapevine.benchmarks.Benchmark;
import dev.grapevine.benchmarks.measure.ChildJvm;
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
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code grapevine bench peer}. */
@Command(
    name = "peer",
    description =
        "Whole rounds of DecentralizePy's tutorial: speed, start, memory, bytes; with the original"
            + " in turns if it is there.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Sixteen nodes, 3-regular, GN-LeNet, 3 steps of 8 samples of CIFAR-10 a round, over TCP.",
      "Get the data first:  grapevine data get cifar10"
    })
public final class PeerBench implements Benchmark, Callable<Integer> {

  private static final Contest FULL = new Contest(16, 80, "cifar10", "gn-lenet");
  private static final Contest QUICK = new Contest(4, 3, "fashion-mnist-mini", "logistic");

  @Mixin private Output output;

  @Mixin private DataFolder data = new DataFolder();

  @Option(
      names = "--decentralizepy",
      paramLabel = "DIR",
      description = "A folder with the original; it is run in turns on this machine.")
  private @Nullable Path original;

  @Option(
      names = "--python",
      paramLabel = "FILE",
      description = "The Python with the original's packages (default: DIR/venv, else python3).")
  private String python = "";

  @Option(
      names = "--turns",
      paramLabel = "N",
      defaultValue = "3",
      description = "How often each is run (default 3).")
  private int turns;

  @Option(names = "--rounds", paramLabel = "N", description = "Rounds of a run (default 80).")
  private @Nullable Integer rounds;

  @Option(
      names = "--quick",
      description = "Few nodes and rounds: shows that it works, the figures mean little.")
  private boolean quick;

  @Override
  public Integer call() throws Exception {
    Contest contest = quick ? QUICK : FULL;
    if (rounds != null) {
      contest = new Contest(contest.nodes(), Math.max(2, rounds), contest.data(), contest.model());
    }
    DecentralizePy peer = original == null ? null : new DecentralizePy(original, python);
    List<Showing> ours = new ArrayList<>();
    List<Showing> theirs = new ArrayList<>();
    for (int turn = 0; turn < (quick ? 1 : turns); turn++) {
      output.progress("turn %d: Grapevine ...", turn + 1);
      ours.add(inScratch(this::own, contest));
      if (peer != null) {
        output.progress("turn %d: DecentralizePy ...", turn + 1);
        theirs.add(inScratch(peer::run, contest));
      }
    }
    output.print(report(contest, ours, theirs));
    return 0;
  }

  /** Something that is run in a folder of its own. */
  private interface Entry {
    Showing run(Contest contest, Path scratch) throws IOException, InterruptedException;
  }

  private static Showing inScratch(Entry entry, Contest contest)
      throws IOException, InterruptedException {
    Path scratch = Files.createTempDirectory("grapevine-peer");
    try {
      return entry.run(contest, scratch);
    } finally {
      try (Stream<Path> inside = Files.walk(scratch)) {
        for (Path path : inside.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(path);
        }
      }
    }
  }

  private Showing own(Contest contest, Path scratch) throws IOException, InterruptedException {
    Path file = Files.writeString(scratch.resolve("peer.toml"), contest.toml());
    double[] figures =
        new ChildJvm(OwnRun.class)
            .run(file, scratch.resolve("run"), data.path(), System.currentTimeMillis());
    return new Showing(figures[0], figures[1], figures[2], figures[3]);
  }

  private static Report report(Contest contest, List<Showing> ours, List<Showing> theirs) {
    Report report = new Report("peer");
    Table table =
        report.table(
            "runs",
            "%d nodes, %d-regular, %s on %s, %d steps of %d a round, TCP, %d rounds"
                .formatted(
                    contest.nodes(),
                    Contest.DEGREE,
                    contest.model(),
                    contest.data(),
                    Contest.STEPS,
                    Contest.BATCH,
                    contest.rounds()),
            "system",
            "turn",
            "rounds/s",
            "seconds to the first round",
            "resident MiB",
            "bytes of a node and round");
    rows(table, "Grapevine", ours);
    double first = median(ours, Showing::firstRound);
    double memory = median(ours, Showing::megabytes);
    report.figure(Figure.of("rounds", median(ours, Showing::roundsPerSecond), "a second"));
    report.figure(Figure.of("first round after the start", first, "s").atMost(2));
    report.figure(Figure.of("peak resident", memory, "MiB").atMost(800));
    if (!theirs.isEmpty()) {
      rows(table, "DecentralizePy", theirs);
      report.figure(
          Figure.of(
                  "rounds a second, ratio", ratio(ours, theirs, Showing::roundsPerSecond), "times")
              .atLeast(3));
      report.figure(
          Figure.of(
                  "time to the first round, ratio",
                  ratio(ours, theirs, Showing::firstRound),
                  "times")
              .atMost(0.1));
      report.figure(
          Figure.of("memory, ratio", ratio(ours, theirs, Showing::megabytes), "times").atMost(0.2));
      report.figure(Figure.of("bytes, ratio", ratio(ours, theirs, Showing::bytes), "times"));
    }
    return report;
  }

  /** Every turn by itself: how far they differ says what the medians are worth. */
  private static void rows(Table table, String system, List<Showing> showings) {
    for (int turn = 0; turn < showings.size(); turn++) {
      Showing showing = showings.get(turn);
      table.row(
          system,
          turn + 1,
          showing.roundsPerSecond(),
          showing.firstRound(),
          showing.megabytes(),
          showing.bytes());
    }
  }

  /** The median of the ratios of turns, each of which saw the same machine. */
  private static double ratio(
      List<Showing> ours, List<Showing> theirs, ToDoubleFunction<Showing> figure) {
    double[] ratios = new double[ours.size()];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = figure.applyAsDouble(ours.get(i)) / figure.applyAsDouble(theirs.get(i));
    }
    return Median.of(ratios);
  }

  private static double median(List<Showing> showings, ToDoubleFunction<Showing> figure) {
    return Median.of(showings.stream().mapToDouble(figure).toArray());
  }
}
