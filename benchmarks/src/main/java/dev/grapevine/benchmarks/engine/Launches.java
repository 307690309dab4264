package dev.grapevine.benchmarks.engine;

import dev.grapevine.benchmarks.measure.ChildJvm;
import dev.grapevine.benchmarks.measure.Median;
import dev.grapevine.benchmarks.report.Figure;
import dev.grapevine.benchmarks.report.Output;
import dev.grapevine.benchmarks.report.Report;
import dev.grapevine.benchmarks.report.Table;
import java.io.IOException;
import java.util.Arrays;

/** Every case in several fresh JVMs: the worst beside the median. */
final class Launches {

  /** A launch below this share of the median has fallen off a cliff; noise is less. */
  private static final double CLIFF = 0.7;

  private final Report report;
  private final Output output;
  private final Table table;
  private final int count;

  Launches(Report report, Output output, int count) {
    this.report = report;
    this.output = output;
    this.count = count;
    this.table =
        report.table(
            "launches",
            "Training in %d fresh JVMs, one thread by processor time".formatted(count),
            "model",
            "batch",
            "median train/s",
            "worst train/s",
            "median ratio",
            "worst ratio");
  }

  void measure(Case subject, double seconds) throws IOException, InterruptedException {
    double[] steps = new double[count];
    double[] ratios = new double[count];
    for (int i = 0; i < count; i++) {
      output.progress(
          "%s, batch %d: launch %d of %d ...", subject.model(), subject.batch(), i + 1, count);
      double[] both = new ChildJvm(Launch.class).run(subject.model(), subject.batch(), seconds);
      steps[i] = both[0];
      ratios[i] = both[1] > 0 ? both[0] / both[1] : Double.NaN;
    }
    double worst = Arrays.stream(steps).min().orElse(Double.NaN);
    double worstRatio = Arrays.stream(ratios).min().orElse(Double.NaN);
    table.row(
        subject.model(), subject.batch(), Median.of(steps), worst, Median.of(ratios), worstRatio);
    String name = "%s, batch %d: ".formatted(subject.model(), subject.batch());
    report.figure(
        Figure.of(name + "worst launch against PyTorch", worstRatio, "times")
            .atLeast(subject.target()));
    report.figure(
        Figure.of(name + "worst launch against the median one", worst / Median.of(steps), "times")
            .atLeast(CLIFF));
  }
}
