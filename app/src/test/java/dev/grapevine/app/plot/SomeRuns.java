package dev.grapevine.app.plot;

import dev.grapevine.results.AtomicFiles;
import dev.grapevine.results.Metrics;
import dev.grapevine.results.MetricsWriter;
import dev.grapevine.results.RunDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;

/** Made-up runs whose accuracy rises to a known height. */
public final class SomeRuns {

  private SomeRuns() {}

  /** A run of four nodes, evaluated ten times, every fifth round. */
  public static Path write(Path parent, String name, long seed, double height) {
    Path path = parent.resolve(name.replace(' ', '-') + "-" + seed);
    RunDirectory run = RunDirectory.create(path);
    run.writeExperiment(
        "name = \"%s\"\nseed = %d\n[training]\nrate = %s\n".formatted(name, seed, height));
    SplittableRandom random = new SplittableRandom(seed);
    double luck = random.nextDouble() / 100;
    try (MetricsWriter metrics = run.metrics()) {
      for (int round = 4; round < 50; round += 5) {
        Duration time = Duration.ofSeconds(2L * (round + 1));
        for (int node = 0; node < 4; node++) {
          double accuracy =
              height * (1 - Math.exp(-round / 10.0)) + luck + random.nextDouble() / 1000;
          metrics.record(node, round, Metrics.TEST_ACCURACY, accuracy, time);
          metrics.record(node, round, Metrics.TEST_LOSS, 2 - accuracy, time);
          metrics.record(node, round, Metrics.BYTES_SENT, 1000.0 * (round + 1), time);
          metrics.record(node, round, Metrics.BYTES_METADATA, 10.0 * (round + 1), time);
          metrics.record(node, round, Metrics.SECONDS_TRAIN, 0.5 * round, time);
        }
      }
    }
    AtomicFiles.write(run.summaryFile(), "{\"outcome\": \"done\"}");
    return path;
  }

  /** A run like the others whose process was killed after its third evaluation. */
  public static Path writeCutOff(Path parent, String name, long seed, double height) {
    Path path = write(parent, name, seed, height);
    RunDirectory run = new RunDirectory(path);
    try {
      Files.delete(run.summaryFile());
      List<String> kept =
          Files.readAllLines(run.metricsFile()).stream()
              .filter(line -> !line.matches("\\d+,(19|[234]\\d),.*"))
              .toList();
      Files.write(run.metricsFile(), kept);
      FileTime longAgo = FileTime.from(Instant.now().minus(Duration.ofHours(1)));
      Files.setLastModifiedTime(run.metricsFile(), longAgo);
      Files.setLastModifiedTime(run.experimentFile(), longAgo);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return path;
  }
}
