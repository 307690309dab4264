package dev.grapevine.benchmarks.data;

import dev.grapevine.UserException;
import dev.grapevine.benchmarks.Benchmark;
import dev.grapevine.benchmarks.measure.ChildJvm;
import dev.grapevine.benchmarks.measure.Median;
import dev.grapevine.benchmarks.measure.Memory;
import dev.grapevine.benchmarks.measure.ProcessorTime;
import dev.grapevine.benchmarks.report.Figure;
import dev.grapevine.benchmarks.report.Output;
import dev.grapevine.benchmarks.report.Report;
import dev.grapevine.benchmarks.workload.CifarShaped;
import dev.grapevine.benchmarks.workload.Training;
import dev.grapevine.data.BatchSampler;
import dev.grapevine.data.DataContext;
import dev.grapevine.data.DataSet;
import dev.grapevine.data.DataSettings;
import dev.grapevine.data.DataSource;
import dev.grapevine.data.DataSplits;
import dev.grapevine.data.DealtData;
import dev.grapevine.data.fetch.DataDirectory;
import dev.grapevine.data.partition.Shards;
import dev.grapevine.data.source.Cifar10;
import dev.grapevine.engine.Batch;
import dev.grapevine.learning.ModelLearner;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code grapevine bench data}. */
@Command(
    name = "data",
    description =
        "Loading CIFAR-10, batches against training, 1024 shards, a LEAF file larger than the heap.",
    mixinStandardHelpOptions = true)
public final class DataBench implements Benchmark, Callable<Integer> {

  private static final int NODES = 1024;
  private static final String LEAF_HEAP = "-Xmx256m";

  @Mixin private Output output;

  @Option(
      names = "--quick",
      description = "Pictures in the jar and a small LEAF file: the figures mean little.")
  private boolean quick;

  @Option(
      names = "--leaf-megabytes",
      paramLabel = "N",
      description = "Size of the LEAF file (default: 1000).")
  private Optional<Integer> leafMegabytes = Optional.empty();

  @Override
  public Integer call() throws Exception {
    Report report = new Report("data");
    DataSplits splits = quick ? pictures() : load(report);
    Shards shards = new Shards(new Shards.Settings(2, false));
    batches(splits, shards, report);
    shards(splits.train(), shards, report);
    leaf(report);
    output.print(report);
    return 0;
  }

  private static DataSplits pictures() {
    DataSet pictures = CifarShaped.of(4096);
    return new DataSplits(pictures, pictures);
  }

  private DataSplits load(Report report) {
    Path directory = DataDirectory.locate();
    DataSource source =
        new Cifar10(
            new Cifar10.Settings(Optional.empty()),
            new DataContext(directory, 1, Path.of("").toAbsolutePath()));
    if (!source.present()) {
      throw new UserException(
          "CIFAR-10 is not in the data directory: directory=%s; fetch it with".formatted(directory)
              + " ./grapevine data get cifar10");
    }
    output.progress("loading CIFAR-10 ...");
    long before = Memory.usedHeap();
    double first = seconds(source::load);
    double processor = ProcessorTime.ofThread();
    long start = System.nanoTime();
    DataSplits splits = source.load();
    double again = (System.nanoTime() - start) / 1e9;
    double onProcessor = ProcessorTime.ofThread() - processor;
    report.figure(Figure.of("loading and checking CIFAR-10", first, "s").atMost(1.5));
    report.figure(Figure.of("once more", again, "s"));
    report.figure(Figure.of("of which on the processor", onProcessor, "s"));
    report.figure(
        Figure.of("memory held by CIFAR-10", (Memory.usedHeap() - before) / 1e6, "MB").atMost(200));
    return splits;
  }

  private static double seconds(Runnable work) {
    long start = System.nanoTime();
    work.run();
    return (System.nanoTime() - start) / 1e9;
  }

  private void batches(DataSplits splits, Shards shards, Report report) {
    output.progress("training, and batches for it ...");
    double steps = stepsPerSecond(splits.train());
    report.figure(Figure.of("GN-LeNet training, steps of 8, one thread", steps, "a second"));
    for (boolean augment : new boolean[] {false, true}) {
      DealtData data =
          DealtData.prepare(
              () -> splits,
              shards,
              new DataSettings(augment, 0, DataSettings.ValidationFrom.TRAIN),
              16,
              1);
      double rate = batchesPerSecond(data);
      String kind = augment ? "batches of 8, augmented" : "batches of 8";
      report.figure(Figure.of(kind, rate, "a second"));
      report.figure(Figure.of(kind + ", against training", rate / steps, "times").atLeast(20));
    }
  }

  private double stepsPerSecond(DataSet train) {
    ModelLearner learner = Training.gnLenet(train).learner(0, 16);
    double[] rates = new double[quick ? 2 : 60];
    for (int i = 0; i < rates.length; i++) {
      double start = ProcessorTime.ofThread();
      learner.train();
      rates[i] = Training.STEPS / (ProcessorTime.ofThread() - start);
    }
    return Median.ofLate(rates);
  }

  private double batchesPerSecond(DealtData data) {
    BatchSampler sampler = data.sampler(0, Training.BATCH, 1);
    Batch batch = data.splits().train().batch(Training.BATCH);
    double[] rates = new double[10];
    int batches = quick ? 100 : 10_000;
    for (int trial = 0; trial < rates.length; trial++) {
      double start = ProcessorTime.ofThread();
      for (int i = 0; i < batches; i++) {
        sampler.next(batch);
      }
      rates[trial] = batches / (ProcessorTime.ofThread() - start);
    }
    return Median.ofLate(rates);
  }

  private void shards(DataSet train, Shards partitioner, Report report) {
    output.progress("shards of %d nodes ...", NODES);
    long before = Memory.usedHeap();
    long start = System.nanoTime();
    int[][] shards = partitioner.deal(train, NODES, 1);
    report.figure(Figure.of("dealing to 1024 nodes", (System.nanoTime() - start) / 1e6, "ms"));
    report.figure(
        Figure.of("memory of 1024 shards", (Memory.usedHeap() - before) / 1e6, "MB").atMost(2));
    List<BatchSampler> samplers = new ArrayList<>();
    for (int[] shard : shards) {
      samplers.add(new BatchSampler(train, shard, Training.BATCH, 1, Optional.empty()));
    }
    report.figure(
        Figure.of(
                "memory of %d shards with samplers".formatted(samplers.size()),
                (Memory.usedHeap() - before) / 1e6,
                "MB")
            .atMost(2));
  }

  private void leaf(Report report) throws Exception {
    int megabytes = leafMegabytes.orElse(quick ? 1 : 1000);
    output.progress("writing and streaming a LEAF file of %d MB ...", megabytes);
    double[] sizes = new ChildJvm(LeafStream.class, LEAF_HEAP).run(megabytes);
    report.figure(
        Figure.of("heap that streams a LEAF file of %.0f MB".formatted(sizes[0]), sizes[1], "MB")
            .atMost(1000));
    report.figure(Figure.of("speed of streaming it", sizes[0] / sizes[2], "MB/s"));
  }
}
