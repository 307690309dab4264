package dev.grapevine.benchmarks;

import dev.grapevine.data.BatchSampler;
import dev.grapevine.data.DataContext;
import dev.grapevine.data.DataSettings;
import dev.grapevine.data.DataSource;
import dev.grapevine.data.DataSplits;
import dev.grapevine.data.DealtData;
import dev.grapevine.data.fetch.DataDirectory;
import dev.grapevine.data.partition.Shards;
import dev.grapevine.data.source.Cifar10;
import dev.grapevine.data.source.Femnist;
import dev.grapevine.engine.Batch;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What data costs: loading CIFAR-10, its memory, building batches for GN-LeNet, the shards of 1024
 * nodes, and streaming a LEAF file that is larger than the heap.
 *
 * <p>Arguments: none for CIFAR-10 (which {@code grapevine data get cifar10} must have brought), or
 * {@code leaf FOLDER MEGABYTES} to write a file of that size in LEAF's layout, read it and delete
 * it; run that with a small heap such as {@code -Xmx256m}.
 */
public final class DataBenchmark {

  private static final int BATCH = 8;
  private static final int NODES = 1024;
  // GN-LeNet's steps per second on one core with batches of 8, to compare with.
  private static final double TRAINING_STEPS_PER_SECOND = 110;

  private final PrintStream out;

  private DataBenchmark(PrintStream out) {
    this.out = out;
  }

  public static void main(String[] arguments) throws IOException {
    DataBenchmark benchmark = new DataBenchmark(System.out);
    if (arguments.length == 3 && arguments[0].equals("leaf")) {
      benchmark.streamLeaf(Path.of(arguments[1]), Integer.parseInt(arguments[2]));
    } else {
      benchmark.cifar10();
    }
  }

  private void cifar10() {
    DataContext context = new DataContext(DataDirectory.locate(), 1, Path.of("").toAbsolutePath());
    DataSource source = new Cifar10(new Cifar10.Settings(Optional.empty()), context);
    long usedBefore = usedMemory();
    DataSplits splits = load(source, "first");
    report("memory held by CIFAR-10", (usedMemory() - usedBefore) / 1e6, "MB (at most 200)");
    load(source, "second");
    batches(splits, false);
    batches(splits, true);
    shards(splits);
  }

  private DataSplits load(DataSource source, String which) {
    long start = System.nanoTime();
    long cpuBefore = cpuTime();
    DataSplits splits = source.load();
    report("loading and checking CIFAR-10, " + which, seconds(start), "s (below 1.5)");
    report("  of which on the processor", (cpuTime() - cpuBefore) / 1e9, "s");
    return splits;
  }

  private void batches(DataSplits splits, boolean augment) {
    DealtData data =
        DealtData.prepare(
            () -> splits,
            new Shards(new Shards.Settings(2)),
            new DataSettings(augment, 0, DataSettings.ValidationFrom.TRAIN),
            16,
            1);
    BatchSampler sampler = data.sampler(0, BATCH, 1);
    Batch batch = splits.train().batch(BATCH);
    double best = 0;
    for (int trial = 0; trial < 5; trial++) {
      long start = System.nanoTime();
      int batches = 10_000;
      for (int i = 0; i < batches; i++) {
        sampler.next(batch);
      }
      best = Math.max(best, batches / seconds(start));
    }
    String kind = augment ? "batches of 8, augmented" : "batches of 8";
    report(kind, best, "per second");
    report(kind + ", against training", best / TRAINING_STEPS_PER_SECOND, "times (at least 20)");
  }

  private void shards(DataSplits splits) {
    long before = usedMemory();
    long start = System.nanoTime();
    int[][] shards = new Shards(new Shards.Settings(2)).deal(splits.train(), NODES, 1);
    report("dealing CIFAR-10 to 1024 nodes", seconds(start) * 1e3, "ms");
    report("memory of 1024 shards", (usedMemory() - before) / 1e6, "MB (below 2)");
    List<BatchSampler> samplers = new ArrayList<>();
    for (int[] shard : shards) {
      samplers.add(new BatchSampler(splits.train(), shard, BATCH, 1, Optional.empty()));
    }
    double held = (usedMemory() - before) / 1e6;
    report("memory of %d shards with samplers".formatted(samplers.size()), held, "MB (below 2)");
  }

  private void streamLeaf(Path folder, int megabytes) throws IOException {
    Path train = folder.resolve("train");
    Path test = folder.resolve("test");
    Files.createDirectories(train);
    Files.createDirectories(test);
    Path large = train.resolve("large.json");
    Path small = test.resolve("small.json");
    try {
      int samples = write(large, megabytes * 1_000_000L);
      write(small, 1_000_000);
      report("LEAF file", Files.size(large) / 1e6, "MB");
      report("largest heap allowed", Runtime.getRuntime().maxMemory() / 1e6, "MB");
      DataContext context = new DataContext(folder, 1, folder);
      long start = System.nanoTime();
      DataSplits splits =
          new Femnist(new Femnist.Settings(Optional.of(folder.toString())), context).load();
      double seconds = seconds(start);
      if (splits.train().size() != samples) {
        throw new IllegalStateException(
            "samples lost: %d of %d".formatted(splits.train().size(), samples));
      }
      report("streaming it", seconds, "s");
      report("speed", Files.size(large) / 1e6 / seconds, "MB/s");
      report("samples", samples, "");
    } finally {
      Files.deleteIfExists(large);
      Files.deleteIfExists(small);
    }
  }

  /** Writes users of 200 images each until the file is long enough. */
  private static int write(Path file, long bytes) throws IOException {
    String image = ("[" + "0.9921568627450981, ".repeat(784)).replaceAll(", $", "]");
    long written = 0;
    int samples = 0;
    try (BufferedWriter writer = Files.newBufferedWriter(file)) {
      writer.write("{\"users\": [], \"num_samples\": [], \"user_data\": {");
      for (int user = 0; written < bytes; user++) {
        writer.write((user == 0 ? "" : ", ") + "\"f" + user + "\": {\"x\": [");
        for (int i = 0; i < 200; i++, samples++) {
          writer.write(i == 0 ? image : ", " + image);
          written += image.length();
        }
        writer.write("], \"y\": [" + "7, ".repeat(199) + "7]}");
      }
      writer.write("}}");
    }
    return samples;
  }

  private void report(String what, double value, String unit) {
    out.printf(Locale.ROOT, "%-48s%,14.2f %s%n", what, value, unit);
  }

  private static double seconds(long start) {
    return (System.nanoTime() - start) / 1e9;
  }

  /** What this thread used of a processor: wall time says little on a busy machine. */
  private static long cpuTime() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static long usedMemory() {
    Runtime runtime = Runtime.getRuntime();
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
