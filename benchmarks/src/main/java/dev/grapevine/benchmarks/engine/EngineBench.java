package dev.grapevine.benchmarks.engine;

import dev.grapevine.benchmarks.Benchmark;
import dev.grapevine.benchmarks.engine.Contender.Work;
import dev.grapevine.engine.kernel.Kernels;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;

/** {@code grapevine bench engine}. */
@Command(
    name = "engine",
    description =
        "Training and inference speed, interleaved with PyTorch where python3 has it (one thread).",
    mixinStandardHelpOptions = true)
public final class EngineBench implements Benchmark, Callable<Integer> {

  private static final int SLICES = 5;

  @Option(names = "--json", description = "Print one JSON object instead of a table.")
  private boolean json;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "2",
      description = "Measuring time per figure (default: ${DEFAULT-VALUE}).")
  private double seconds;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter progress = spec.commandLine().getErr();
    Optional<Torch> torch = Torch.find();
    if (torch.isEmpty()) {
      progress.println("PyTorch not measured: no python3 with torch (Debian: python3-torch)");
    }
    Figures figures;
    try {
      figures = measure(torch.orElse(null), progress);
    } finally {
      torch.ifPresent(Torch::close);
    }
    if (json) {
      out.println(JsonMapper.shared().writeValueAsString(figures));
    } else {
      new FigureTable(out).print(figures);
    }
    out.flush();
    return 0;
  }

  private Figures measure(@Nullable Torch torch, PrintWriter progress) throws Exception {
    Grapevine grapevine = new Grapevine();
    List<Figures.Line> lines = new ArrayList<>();
    double peak = 0;
    int threads = Runtime.getRuntime().availableProcessors();
    for (Case subject : Case.ALL) {
      progress.printf("measuring %s, batch %d ...%n", subject.model(), subject.batch());
      progress.flush();
      grapevine.measure(subject, Work.TRAIN, seconds);
      grapevine.measure(subject, Work.FORWARD, seconds / 4);
      double[][] slices = new double[5][SLICES];
      for (int i = 0; i < SLICES; i++) {
        slices[0][i] = grapevine.measure(subject, Work.TRAIN, seconds / SLICES);
        slices[1][i] = torch == null ? 0 : torch.measure(subject, Work.TRAIN, seconds / SLICES);
        slices[2][i] = grapevine.measure(subject, Work.FORWARD, seconds / SLICES);
        slices[3][i] = torch == null ? 0 : torch.measure(subject, Work.FORWARD, seconds / SLICES);
        peak = Math.max(peak, Peak.gflops());
      }
      slices[4] = AllCores.stepsPerSecond(subject, threads, SLICES, seconds / SLICES);
      lines.add(line(subject, slices, grapevine.trainee(subject), peak, torch != null));
    }
    return new Figures(
        Kernels.best().name(),
        torch == null ? null : torch.version(),
        peak,
        threads,
        lines,
        ChildJvm.run(FirstStep.class),
        ChildJvm.run(ManyModels.class, ManyModels.HEAP));
  }

  private static Figures.Line line(
      Case subject, double[][] slices, Trainee trainee, double peak, boolean withTorch) {
    double steps = median(slices[0]);
    double torchSteps = median(slices[1]);
    double flops = 2.0 * subject.batch() * trainee.model().trainingMultiplyAdds();
    double allCores = median(slices[4]);
    return new Figures.Line(
        subject.model(),
        subject.batch(),
        steps,
        withTorch ? torchSteps : null,
        withTorch ? steps / torchSteps : null,
        subject.target(),
        steps * flops / (peak * 1e9),
        median(slices[2]) * subject.batch(),
        withTorch ? median(slices[3]) * subject.batch() : null,
        allCores,
        allCores / steps);
  }

  private static double median(double[] slices) {
    double[] sorted = slices.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }
}
