package dev.grapevine.benchmarks.faults;

import dev.grapevine.benchmarks.Benchmark;
import dev.grapevine.benchmarks.report.Figure;
import dev.grapevine.benchmarks.report.Output;
import dev.grapevine.benchmarks.report.Report;
import dev.grapevine.benchmarks.report.Table;
import dev.grapevine.random.RandomStreams;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.LongStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code grapevine bench faults}. */
@Command(
    name = "faults",
    description =
        "Whatever goes wrong, a run ends and says why: a sample of all protocols x faults x clocks x"
            + " policies, and simulations with random faults. A run that does not is written to a"
            + " file that repeats it, and the exit code is 1.",
    mixinStandardHelpOptions = true)
public final class FaultsBench implements Benchmark, Callable<Integer> {

  private static final int QUICK = 4;

  /** How many runs are named while they go. */
  private static final int STEP = 100;

  @Mixin private Output output;

  @Option(names = "--cases", description = "How many cases of the matrix (default 1000).")
  private int cases = 1000;

  @Option(names = "--seeds", description = "How many random simulations (default 1000).")
  private int seeds = 1000;

  @Option(names = "--first-seed", description = "The first of their seeds (default 1).")
  private long firstSeed = 1;

  @Option(
      names = "--failures",
      paramLabel = "DIR",
      description = "Where experiments that went wrong are written (default fault-failures).")
  private Path failures = Path.of("fault-failures");

  @Option(names = "--quick", description = "A few of each: shows that it works.")
  private boolean quick;

  @Override
  public Integer call() throws IOException {
    // Messages are refused by the thousand here, on purpose.
    Logger log = Logger.getLogger("dev.grapevine");
    Level usual = log.getLevel();
    log.setLevel(Level.OFF);
    try {
      return complaints() == 0 ? 0 : 1;
    } finally {
      log.setLevel(usual);
    }
  }

  /** How many runs did not end as they should. */
  private int complaints() throws IOException {
    FaultyRuns runs = new FaultyRuns();
    Report report = new Report("faults");
    report.fact("protocols", runs.protocols().size());
    Table wrong = report.table("wrong", "Runs that did not end as they should", "run", "complaint");
    List<FaultyRun> matrix = new ArrayList<>(runs.matrix());
    Collections.shuffle(matrix, RandomStreams.of(firstSeed, 0, "matrix"));
    matrix = matrix.subList(0, Math.min(quick ? QUICK : cases, matrix.size()));
    int ofMatrix = complaints(matrix, "matrix", wrong);
    report.figure(
        Figure.of("cases of the matrix that went wrong, of " + matrix.size(), ofMatrix, "")
            .atMost(0));
    List<FaultyRun> random =
        LongStream.range(firstSeed, firstSeed + (quick ? QUICK : seeds))
            .mapToObj(runs::random)
            .toList();
    int ofRandom = complaints(random, "simulations", wrong);
    report.figure(
        Figure.of("random simulations that went wrong, of " + random.size(), ofRandom, "")
            .atMost(0));
    List<FaultyRun> lossless =
        LongStream.range(firstSeed, firstSeed + (quick ? QUICK : seeds))
            .mapToObj(runs::lossless)
            .toList();
    int ofLossless = complaints(lossless, "lossless", wrong);
    report.figure(
        Figure.of(
                "simulations without losses that went wrong or lost the mean, of "
                    + lossless.size(),
                ofLossless,
                "")
            .atMost(0));
    output.print(report);
    return ofMatrix + ofRandom + ofLossless;
  }

  private int complaints(List<FaultyRun> runs, String what, Table wrong) throws IOException {
    Path folder = Files.createTempDirectory("grapevine-faults");
    int count = 0;
    try {
      for (int i = 0; i < runs.size(); i++) {
        if (i % STEP == 0) {
          output.progress("%s: %d of %d, %d wrong so far ...", what, i, runs.size(), count);
        }
        FaultyRun run = runs.get(i);
        Optional<String> complaint = run.complaint(folder);
        if (complaint.isPresent()) {
          count++;
          wrong.row(
              run.name(),
              "%s; %s (%s)"
                  .formatted(complaint.get(), run.replay(), keep(run, what, i).toString()));
        }
      }
    } finally {
      Files.deleteIfExists(folder);
    }
    return count;
  }

  private Path keep(FaultyRun run, String what, int at) throws IOException {
    Files.createDirectories(failures);
    return Files.writeString(
        failures.resolve("%s-%d.toml".formatted(what, at)), run.experiment().toToml());
  }
}
