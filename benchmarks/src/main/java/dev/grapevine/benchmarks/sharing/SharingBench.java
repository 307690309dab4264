package dev.grapevine.benchmarks.sharing;

import dev.grapevine.benchmarks.Benchmark;
import dev.grapevine.benchmarks.measure.Median;
import dev.grapevine.benchmarks.report.Figure;
import dev.grapevine.benchmarks.report.Output;
import dev.grapevine.benchmarks.report.Report;
import dev.grapevine.benchmarks.workload.CifarShaped;
import dev.grapevine.benchmarks.workload.Training;
import dev.grapevine.data.DataSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.DoubleStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code grapevine bench sharing}. */
@Command(
    name = "sharing",
    description =
        "Time and bytes of every sharing scheme, transform and codec, beside a round's training.",
    mixinStandardHelpOptions = true)
public final class SharingBench implements Benchmark, Callable<Integer> {

  /** One hidden layer that makes 4.3 million parameters. */
  private static final String LARGE = "hidden = 1395";

  @Mixin private Output output;

  @Option(
      names = "--quick",
      description = "GN-LeNet only, few rounds: shows that it works, the figures mean little.")
  private boolean quick;

  @Option(
      names = "--scheme",
      paramLabel = "KIND",
      description = "Measure only this scheme; may be repeated (default: all).")
  private List<String> schemes = List.of();

  @Override
  public Integer call() throws InterruptedException {
    Report report = new Report("sharing");
    DataSet data = CifarShaped.of(quick ? 100 : 2000);
    output.progress("training GN-LeNet ...");
    TrainedModel small =
        quick
            ? TrainedModel.train(Training.gnLenet(data), 1, 3)
            : TrainedModel.train(Training.gnLenet(data), 60, 40);
    double round =
        Median.of(DoubleStream.generate(small::trainingMillis).limit(quick ? 1 : 15).toArray());
    report.fact("ms of a GN-LeNet round's training", round);
    Map<String, Double> shares =
        new SchemeCosts(small, small::trainingMillis, quick ? 2 : 120)
            .measure(schemes, output, report);
    if (shares.containsKey("jwins++")) {
      report.figure(
          Figure.of("JWINS++ at degree 5, of a round's training", shares.get("jwins++"), "%")
              .atMost(5));
    }
    output.progress("codecs at %,d parameters ...", small.size());
    new CodecSpeeds(small, round, quick ? 0 : 0.4, report).measure();
    if (!quick) {
      output.progress("training a model of 4.3 million parameters ...");
      TrainedModel large = TrainedModel.train(Training.of("mlp", LARGE, data), 10, 8);
      new SchemeCosts(large, small::trainingMillis, 8).measure(schemes, output, report);
      output.progress("codecs at %,d parameters ...", large.size());
      new CodecSpeeds(large, round, 0.6, report).measure();
    }
    output.print(report);
    return 0;
  }
}
