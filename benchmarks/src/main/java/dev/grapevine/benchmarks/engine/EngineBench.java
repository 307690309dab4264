package dev.grapevine.benchmarks.engine;

import dev.grapevine.benchmarks.Benchmark;
import dev.grapevine.benchmarks.engine.Contender.Work;
import dev.grapevine.benchmarks.measure.ChildJvm;
import dev.grapevine.benchmarks.measure.Median;
import dev.grapevine.benchmarks.report.Figure;
import dev.grapevine.benchmarks.report.Output;
import dev.grapevine.benchmarks.report.Report;
import dev.grapevine.benchmarks.report.Table;
import dev.grapevine.engine.kernel.Kernels;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code grapevine bench engine}. */
@Command(
    name = "engine",
    description =
        "Training and inference speed, interleaved with PyTorch where python3 has it (one thread).",
    mixinStandardHelpOptions = true)
public final class EngineBench implements Benchmark, Callable<Integer> {

  private static final int SLICES = 5;
  private static final int CORES = Runtime.getRuntime().availableProcessors();

  @Mixin private Output output;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "2",
      description = "Measuring time per figure (default: ${DEFAULT-VALUE}).")
  private double seconds;

  @Option(
      names = "--model",
      paramLabel = "NAME",
      description = "Measure only this model; may be repeated (default: all).")
  private List<String> models = List.of();

  @Option(
      names = "--launches",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "Also train every model in N fresh JVMs and print the worst beside the median"
              + " (default: ${DEFAULT-VALUE}).")
  private int launches;

  @Spec private CommandSpec command;

  @Override
  public Integer call() throws Exception {
    if (launches < 0 || seconds <= 0) {
      throw new ParameterException(
          command.commandLine(),
          "launches must not be negative and seconds must be positive: launches=%d, seconds=%s"
              .formatted(launches, seconds));
    }
    Optional<Torch> torch = Torch.find();
    if (torch.isEmpty()) {
      output.progress("PyTorch not measured: no python3 with torch (Debian: python3-torch)");
    }
    try {
      output.print(measure(torch.orElse(null)));
    } finally {
      torch.ifPresent(Torch::close);
    }
    return 0;
  }

  private Report measure(@Nullable Torch torch) throws Exception {
    Report report = new Report("engine");
    report.fact("kernels", Kernels.best().name());
    report.fact("torch", torch == null ? "not measured" : torch.version());
    Table table =
        report.table(
            "models",
            "Training and inference, one thread by processor time; all cores by the wall clock",
            "model",
            "batch",
            "train/s",
            "torch train/s",
            "ratio",
            "% of direct peak",
            "images/s",
            "torch images/s",
            "train/s all cores",
            "scaling",
            "by processor time");
    Grapevine grapevine = new Grapevine();
    double peak = 0;
    for (Case subject : Case.ALL) {
      if (models.isEmpty() || models.contains(subject.model())) {
        output.progress("measuring %s, batch %d ...", subject.model(), subject.batch());
        double[][] slices = new double[7][SLICES];
        peak = Math.max(peak, measure(subject, grapevine, torch, slices));
        tell(subject, slices, grapevine.trainee(subject), peak, torch != null, report, table);
      }
    }
    report.fact("peak GFLOP/s of one thread", peak);
    if (launches > 0) {
      Launches fresh = new Launches(report, output, launches);
      for (Case subject : Case.ALL) {
        if (models.isEmpty() || models.contains(subject.model())) {
          fresh.measure(subject, seconds);
        }
      }
    }
    output.progress("starting fresh JVMs ...");
    double[] first = new ChildJvm(FirstStep.class).run();
    report.figure(Figure.of("first training step after the start", first[0], "ms").atMost(700));
    report.figure(
        Figure.of("first training step, the thread's own processor time", first[1], "ms")
            .atMost(700));
    report.figure(
        Figure.of(
                "1024 GN-LeNet vectors and two workspaces, resident",
                new ChildJvm(ManyModels.class, ManyModels.HEAP).run()[0],
                "MiB")
            .atMost(1024));
    return report;
  }

  /** Fills the slices and returns the multiply-add peak seen meanwhile, in GFLOP/s. */
  private double measure(
      Case subject, Grapevine grapevine, @Nullable Torch torch, double[][] slices)
      throws Exception {
    double peak = 0;
    grapevine.warmUp(subject, Work.TRAIN, seconds);
    grapevine.warmUp(subject, Work.FORWARD, seconds / 4);
    try (AllCores cores = new AllCores(subject, CORES)) {
      for (int i = 0; i < SLICES; i++) {
        slices[0][i] = grapevine.measure(subject, Work.TRAIN, seconds / SLICES);
        slices[1][i] = torch == null ? 0 : torch.measure(subject, Work.TRAIN, seconds / SLICES);
        slices[2][i] = grapevine.measure(subject, Work.FORWARD, seconds / SLICES);
        slices[3][i] = torch == null ? 0 : torch.measure(subject, Work.FORWARD, seconds / SLICES);
        peak = Math.max(peak, Peak.gflops());
        AllCores.Rates one = cores.one(seconds / SLICES);
        AllCores.Rates all = cores.all(seconds / SLICES);
        slices[4][i] = all.byClock();
        slices[5][i] = all.byClock() / one.byClock();
        slices[6][i] = all.byProcessorTime() / one.byProcessorTime();
      }
    }
    return peak;
  }

  private static void tell(
      Case subject,
      double[][] slices,
      Trainee trainee,
      double peak,
      boolean withTorch,
      Report report,
      Table table) {
    double steps = Median.of(slices[0]);
    double torchSteps = withTorch ? Median.of(slices[1]) : Double.NaN;
    double flops = 2.0 * subject.batch() * trainee.model().trainingMultiplyAdds();
    double share = 100 * steps * flops / (peak * 1e9);
    double byClock = Median.of(slices[5]);
    double byProcessorTime = Median.of(slices[6]);
    table.row(
        subject.model(),
        subject.batch(),
        steps,
        torchSteps,
        steps / torchSteps,
        share,
        Median.of(slices[2]) * subject.batch(),
        withTorch ? Median.of(slices[3]) * subject.batch() : null,
        Median.of(slices[4]),
        byClock,
        byProcessorTime);
    String name = subject.model() + ", batch " + subject.batch();
    report.figure(
        Figure.of(name + ": training against PyTorch", steps / torchSteps, "times")
            .atLeast(subject.target()));
    report.figure(
        Figure.of(name + ": all cores against one", byClock, "times").atLeast(0.95 * CORES));
    report.figure(
        Figure.of(name + ": all cores against one, by processor time", byProcessorTime, "times")
            .atLeast(0.95 * CORES));
  }
}
