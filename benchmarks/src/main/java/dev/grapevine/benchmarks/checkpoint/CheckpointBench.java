package dev.grapevine.benchmarks.checkpoint;

import dev.grapevine.benchmarks.Benchmark;
import dev.grapevine.benchmarks.measure.Median;
import dev.grapevine.benchmarks.measure.ProcessorTime;
import dev.grapevine.benchmarks.report.Figure;
import dev.grapevine.benchmarks.report.Output;
import dev.grapevine.benchmarks.report.Report;
import dev.grapevine.benchmarks.report.Table;
import dev.grapevine.checkpoint.SavedCut;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.launch.ProgressListener;
import dev.grapevine.launch.Run;
import dev.grapevine.launch.RunProgress;
import dev.grapevine.results.RunDirectory;
import dev.grapevine.state.State;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code grapevine bench checkpoint}. */
@Command(
    name = "checkpoint",
    description = "What it costs to save all nodes after every round, and to go on from there.",
    mixinStandardHelpOptions = true)
public final class CheckpointBench implements Benchmark, Callable<Integer> {

  private static final String EXPERIMENT =
      """
      name = "bench"
      rounds = 2
      [nodes]
      count = 16
      [topology]
      kind = "regular"
      [data]
      set = "fashion-mnist-mini"
      partition = "iid"
      [model]
      kind = "gn-lenet"
      [training]
      steps = 4
      [evaluation]
      every = 0
      """;

  @Mixin private Output output;

  @Option(
      names = "--quick",
      description = "Few nodes and rounds: shows that it works, the figures mean little.")
  private boolean quick;

  @Option(
      names = "--turns",
      paramLabel = "N",
      defaultValue = "7",
      description =
          "How often 1024 nodes are run with and without, in turns; 16 nodes five times as often"
              + " (default 7, some 20 minutes).")
  private int turns;

  @Option(
      names = "--kills",
      paramLabel = "N",
      description =
          "Measure nothing; kill so many processes at random moments instead, and look whether their"
              + " runs end as if they had been left alone.")
  private int kills;

  @Option(
      names = "--seed",
      paramLabel = "SEED",
      description = "With --kills: of the random moments (default: 90).")
  private long seed = 90;

  /**
   * One size of a run.
   *
   * @param first rounds that do not count: the compiler is at work, and files are made that later
   *     checkpoints write over. Of large cuts the last come ten seconds later, when one is brought
   *     to the disk.
   * @param rounds rounds that count
   * @param turns how often it is run with and without
   */
  private record Size(int nodes, int first, int rounds, int turns) {}

  private static final Size QUICK = new Size(8, 2, 1, 1);

  /**
   * What saves runs a few times a round only, so that the compilers are busy with it for some
   * hundred rounds: more than it takes itself.
   */
  private static final Size WARM_UP = new Size(16, 0, 400, 1);

  /**
   * What the rounds that count took, and the time from the last of them to the end of the run.
   *
   * @param training what of the processor time was training, which is the same with and without
   */
  private record Cost(double wall, double processor, double training, double ending) {

    /**
     * Processor time of all but training: a figure that a machine's changing speed hardly blurs.
     */
    double besideTraining() {
      return processor - training;
    }
  }

  /** A moment. */
  private record Moment(double wall, double processor, double training) {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    turns = Math.max(1, turns);
    Report report = new Report("checkpoint");
    Path folder = Files.createTempDirectory("grapevine-checkpoints");
    try {
      if (kills > 0) {
        return kill(folder, report);
      }
      output.progress("warming up ...");
      run(folder, quick ? QUICK : WARM_UP, 1);
      overhead(folder, quick ? QUICK : new Size(16, 5, 40, 5 * turns), 3, report);
      overhead(folder, quick ? QUICK : new Size(1024, 12, 10, turns), 5, report);
      goingOn(folder, quick ? 8 : 1024, report);
    } finally {
      KilledRuns.delete(folder);
    }
    output.print(report);
    return 0;
  }

  private int kill(Path folder, Report report) throws IOException, InterruptedException {
    output.progress("killing %d processes ...", kills);
    KilledRuns.Result result = new KilledRuns(folder, seed).run(kills);
    report.figure(Figure.of("processes killed", result.kills(), ""));
    report.figure(Figure.of("runs that ended before", result.tooLate(), ""));
    report.figure(Figure.of("protocols x schemes x clocks", result.kinds(), ""));
    report.figure(Figure.of("runs that ended otherwise", result.failures().size(), "").atMost(0));
    result.failures().forEach(failure -> output.progress("%s", failure));
    output.print(report);
    return result.failures().isEmpty() ? 0 : 1;
  }

  private void overhead(Path folder, Size size, double atMost, Report report) throws IOException {
    int nodes = size.nodes();
    int turns = size.turns();
    output.progress("%d nodes with and without a checkpoint every round ...", nodes);
    Table table =
        report.table(
            "overhead-" + nodes,
            "Seconds of %d rounds of %d GN-LeNet nodes after the first %d, a checkpoint every round"
                .formatted(size.rounds(), nodes, size.first()),
            "turn",
            "without",
            "with",
            "more %",
            "more % by processor time",
            "more % beside training");
    double[] byClock = new double[turns];
    double[] byProcessor = new double[turns];
    double[] beside = new double[turns];
    double[] endings = new double[turns];
    run(folder, size, 1);
    for (int turn = 0; turn < turns; turn++) {
      // Which goes first alternates, so that a machine that slows down favours neither.
      Cost first = turn % 2 == 0 ? run(folder, size, 0) : null;
      Cost with = run(folder, size, 1);
      Cost without = first != null ? first : run(folder, size, 0);
      byClock[turn] = 100 * (with.wall() / without.wall() - 1);
      byProcessor[turn] = 100 * (with.processor() / without.processor() - 1);
      beside[turn] = 100 * (with.besideTraining() - without.besideTraining()) / without.processor();
      endings[turn] = 1000 * (with.ending() - without.ending());
      table.row(
          turn + 1, without.wall(), with.wall(), byClock[turn], byProcessor[turn], beside[turn]);
    }
    String name = "a checkpoint every round, %d nodes: more time".formatted(nodes);
    report.figure(Figure.of(name, Median.of(byClock), "%").atMost(atMost));
    report.figure(Figure.of(name + " on processors", Median.of(byProcessor), "%"));
    report.figure(Figure.of(name + " on processors beside training", Median.of(beside), "%"));
    report.figure(
        Figure.of(
            "the last checkpoint, %d nodes: longer until the run is over".formatted(nodes),
            Median.of(endings),
            "ms"));
  }

  private static Experiment experiment(int nodes, int rounds, int every) {
    return Experiment.parse(EXPERIMENT)
        .with(List.of("nodes.count=" + nodes, "rounds=" + rounds, "checkpoint.every=" + every));
  }

  private static Cost run(Path folder, Size size, int every) throws IOException {
    Path directory = folder.resolve("run");
    int rounds = size.first() + size.rounds();
    Mark begin = new Mark((double) size.first() / rounds);
    Mark end = new Mark(1);
    Run.of(experiment(size.nodes(), rounds, every))
        .into(directory)
        .listener(progress -> {
          begin.progress(progress);
          end.progress(progress);
        })
        .sharesProcess(true)
        .start();
    double over = Mark.now().wall();
    KilledRuns.delete(directory);
    return new Cost(
        end.reached().wall() - begin.reached().wall(),
        end.reached().processor() - begin.reached().processor(),
        end.reached().training() - begin.reached().training(),
        over - end.reached().wall());
  }

  private void goingOn(Path folder, int nodes, Report report) throws IOException {
    output.progress("resuming %d nodes ...", nodes);
    Path directory = folder.resolve("resumed");
    Run.of(experiment(nodes, 2, 1)).into(directory).sharesProcess(true).start();
    RunDirectory run = new RunDirectory(directory);
    Files.delete(run.summaryFile());
    Files.delete(run.checkpoints().resolve("round-000002").resolve("complete.json"));
    Mark mark = new Mark(0);
    Moment start = Mark.now();
    Run.resume(directory, List.of()).listener(mark).sharesProcess(true).start();
    report.figure(
        Figure.of("resuming %d nodes".formatted(nodes), mark.reached().wall() - start.wall(), "s")
            .atMost(5));
    try {
      SavedCut cut = SavedCut.at(run.checkpoints(), 2);
      long declared = 0;
      for (int node : cut.nodes()) {
        declared += cut.state(node).values().stream().mapToLong(CheckpointBench::bytes).sum();
      }
      report.figure(
          Figure.of("size on disk against the declared state", (double) cut.bytes() / declared, "x")
              .atMost(1.05));
    } catch (dev.grapevine.checkpoint.UnusableCut e) {
      throw new IllegalStateException(e);
    }
  }

  private static long bytes(State.Saved saved) {
    return switch (saved) {
      case State.Floats(float[] values) -> (long) Float.BYTES * values.length;
      case State.Value _ -> Long.BYTES;
      case State.Bytes(byte[] content) -> content.length;
    };
  }

  /** Notes when such a share of all rounds is over; of none, when the first is about to begin. */
  private static final class Mark implements ProgressListener {

    private final double share;
    private final AtomicReference<@Nullable Moment> reached = new AtomicReference<>();

    Mark(double share) {
      this.share = share;
    }

    static Moment now() {
      return new Moment(
          System.nanoTime() / 1e9, ProcessorTime.ofProcess(), ProcessorTime.ofThreads("compute-"));
    }

    Moment reached() {
      return Objects.requireNonNull(reached.get(), "the run ended before");
    }

    @Override
    public void progress(RunProgress progress) {
      if (progress.done() >= share && reached.get() == null) {
        reached.compareAndSet(null, now());
      }
    }

    @Override
    public void begun(RunDirectory directory) {
      if (share == 0) {
        reached.set(now());
      }
    }
  }
}
