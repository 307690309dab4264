package dev.grapevine.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.grapevine.UserException;
import dev.grapevine.topology.Graph;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SequencedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RunDirectoryTest {

  private static final String EXPERIMENT =
      """
      name = "small"
      seed = 90
      [nodes]
      count = 3
      [data]
      labels = [1, 2]
      """;

  @TempDir Path dir;

  private static Duration seconds(double seconds) {
    return Duration.ofNanos((long) (seconds * 1e9));
  }

  private RunDirectory smallRun(String name) {
    RunDirectory run = RunDirectory.create(dir.resolve(name));
    run.writeExperiment(EXPERIMENT);
    var hashes = new LinkedHashMap<String, String>();
    hashes.put("digits", "abc");
    run.writeProvenance(
        Provenance.here(
            "0.1",
            List.of("run", "x.toml"),
            Path.of("/here"),
            90,
            hashes,
            new LinkedHashMap<>(),
            new LinkedHashMap<>()));
    run.writeTopology(Graph.undirected(3).add(0, 1).add(1, 2).build());
    try (MetricsWriter metrics = run.metrics()) {
      for (int round = 0; round < 20; round++) {
        for (int node = 2; node >= 0; node--) {
          double accuracy = 0.5 + node / 100.0 + round / 1000.0;
          metrics.record(node, round, Metrics.TEST_ACCURACY, accuracy, seconds(round * 1.5));
          metrics.record(node, round, Metrics.TEST_LOSS, Math.PI / (round + 1), seconds(round));
          metrics.record(node, round, Metrics.BYTES_SENT, 1e6 * round, seconds(round));
          metrics.record(node, round, Metrics.SECONDS_TRAIN, 0.25 * round, seconds(round));
        }
        metrics.record(Metrics.WHOLE_RUN, round, Metrics.AVERAGE_ACCURACY, 0.75, seconds(round));
      }
    }
    run.writeSummary(summary(SavedRun.read(run.path())));
    return run;
  }

  private static Summary summary(SavedRun results) {
    return Summary.of(
        new Summary.Ending(
            "done",
            "",
            "small",
            90,
            20,
            3,
            Duration.ofMillis(1500),
            Optional.of(Duration.ofSeconds(30)),
            Optional.of("cafe"),
            OptionalLong.of(1 << 20),
            OptionalInt.empty(),
            OptionalInt.empty()),
        new Summary.Totals(Spread.of(1e6, 3e6), Spread.EMPTY, 14.25),
        results);
  }

  @Test
  void whatWasWrittenIsReadBack() {
    SavedRun results = SavedRun.read(smallRun("run").path());
    assertThat(results.name()).isEqualTo("small");
    assertThat(results.seed()).hasValue(90);
    assertThat(results.settings()).containsEntry("nodes.count", "3");
    assertThat(results.metrics())
        .containsExactly(
            "test_accuracy", "test_loss", "bytes_sent", "seconds_train", "average_accuracy");
    MetricColumn accuracy = results.metric(Metrics.TEST_ACCURACY).orElseThrow();
    assertThat(accuracy.rounds()).isEqualTo(20);
    assertThat(accuracy.nodes(4)).containsExactly(0, 1, 2);
    assertThat(accuracy.values(4)).containsExactly(0.504, 0.514, 0.524);
    assertThat(accuracy.time(4)).isEqualTo(6);
    assertThat(accuracy.value(4, 1)).hasValue(0.514);
    MetricColumn loss = results.metric(Metrics.TEST_LOSS).orElseThrow();
    assertThat(loss.values(6)[0]).isEqualTo(Math.PI / 7);
    assertThat(results.metric(Metrics.AVERAGE_ACCURACY).orElseThrow().nodes(0))
        .containsExactly(Metrics.WHOLE_RUN);
    assertThat(results.topology().orElseThrow().edges()).isEqualTo(2);
    assertThat(results.provenance().orElseThrow().get("data_hashes").get("digits").asString())
        .isEqualTo("abc");
    assertThat(results.skippedLines()).isZero();
  }

  @Test
  void theSummaryHasTheKeysThatAreReliedOn() {
    var json = SavedRun.read(smallRun("run").path()).summary().orElseThrow();
    for (String key :
        List.of(
            "rounds",
            "nodes",
            "test_accuracy_mean",
            "test_accuracy_std",
            "test_loss_mean",
            "bytes_sent_per_node_mean",
            "bytes_received_per_node_mean",
            "wall_seconds",
            "virtual_seconds",
            "train_seconds_total",
            "peak_memory_bytes",
            "trace_hash")) {
      assertThat(json.has(key)).as(key).isTrue();
    }
    assertThat(json.get("test_accuracy_mean").asDouble()).isEqualTo(0.529);
    assertThat(json.get("train_seconds_total").asDouble()).isEqualTo(3 * 0.25 * 19);
    assertThat(json.get("bytes_received_per_node_mean").isNull()).isTrue();
  }

  @Test
  void aRunCutAtAnyByteIsStillReadable() throws IOException {
    RunDirectory whole = smallRun("run");
    List<Path> files =
        List.of(
            whole.metricsFile(),
            whole.experimentFile(),
            whole.provenanceFile(),
            whole.summaryFile(),
            whole.topologyFile());
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 200; i++) {
      Path cut = Files.createDirectory(dir.resolve("cut" + i));
      long lines = 0;
      for (Path file : files) {
        byte[] bytes = Files.readAllBytes(file);
        int length = random.nextInt(bytes.length + 1);
        Path target = cut.resolve(file.getFileName());
        Files.write(target, Arrays.copyOf(bytes, length));
        if (file.equals(whole.metricsFile())) {
          lines = new String(bytes, 0, length).chars().filter(c -> c == '\n').count();
        }
      }
      SavedRun results = SavedRun.read(cut);
      long rows =
          results.metrics().stream().mapToLong(m -> results.metric(m).orElseThrow().size()).sum();
      assertThat(rows).as("cut %d", i).isEqualTo(Math.max(0, lines - 1));
      assertThat(results.skippedLines()).isZero();
      assertThat(results.name()).isNotEmpty();
      results.topology();
      summary(results);
    }
  }

  @Test
  void aRunWhoseProcessIsGoneIsNotRunning() throws IOException {
    RunDirectory run = smallRun("run");
    assertThat(SavedRun.outcomeOf(run.path())).isEqualTo("done");
    Files.delete(run.summaryFile());
    FileTime longAgo = FileTime.from(Instant.EPOCH);
    Files.setLastModifiedTime(run.metricsFile(), longAgo);
    Files.setLastModifiedTime(run.experimentFile(), longAgo);
    assertThat(SavedRun.outcomeOf(run.path())).as("this process").isEqualTo("running");

    String another = "\"process_started\" : \"2001-01-01T00:00:00Z\"";
    Files.writeString(
        run.provenanceFile(),
        Files.readString(run.provenanceFile())
            .replaceAll("\"process_started\" : \"[^\"]*\"", another));
    assertThat(SavedRun.outcomeOf(run.path())).isEqualTo(SavedRun.CUT_OFF);
    assertThat(SavedRun.read(run.path()).outcome()).isEqualTo("cut off");

    Files.setLastModifiedTime(run.metricsFile(), FileTime.from(Instant.now()));
    assertThat(SavedRun.outcomeOf(run.path())).as("on another machine").isEqualTo("running");
  }

  @Test
  void settingsReadAsPeopleWriteThem() {
    RunDirectory run = RunDirectory.create(dir.resolve("small-numbers"));
    run.writeExperiment("a = 1.0E-4\nb = 2.5e-7\nc = 0.1\nd = 12\n");
    assertThat(SavedRun.settingsOf(run.path()).values())
        .containsExactly("1e-4", "2.5e-7", "0.1", "12");
  }

  @Test
  void shareCountsAreReadBackAndCutOffAtAnyByte() throws IOException {
    RunDirectory run = smallRun("run");
    assertThat(SavedRun.read(run.path()).shareCounts()).isEmpty();
    SequencedMap<Integer, double[]> byNode = new TreeMap<>();
    byNode.put(0, IntStream.range(0, 100).mapToDouble(i -> i / 8.0).toArray());
    byNode.put(2, IntStream.range(0, 100).mapToDouble(i -> i).toArray());
    run.writeShareCounts(new SharePercentiles(byNode));
    String text = Files.readString(run.shareCountsFile());
    SharePercentiles read = SavedRun.read(run.path()).shareCounts().orElseThrow();
    assertThat(read.byNode().keySet()).containsExactly(0, 2);
    assertThat(read.byNode().get(0)).containsExactly(byNode.get(0));
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < 50; i++) {
      Files.writeString(run.shareCountsFile(), text.substring(0, random.nextInt(text.length())));
      assertThat(SavedRun.read(run.path()).shareCounts().stream())
          .allSatisfy(cut -> assertThat(cut.byNode().get(0)).containsExactly(byNode.get(0)));
    }
  }

  @Test
  void aCutRunCanBeContinuedAndLaterValuesStand() throws IOException {
    RunDirectory run = smallRun("run");
    byte[] bytes = Files.readAllBytes(run.metricsFile());
    Files.write(run.metricsFile(), Arrays.copyOf(bytes, bytes.length - 3));
    try (MetricsWriter metrics = run.metrics()) {
      metrics.record(1, 19, Metrics.TEST_ACCURACY, 0.99, seconds(40));
    }
    SavedRun results = SavedRun.read(run.path());
    assertThat(results.skippedLines()).isZero();
    MetricColumn accuracy = results.metric(Metrics.TEST_ACCURACY).orElseThrow();
    assertThat(accuracy.size()).isEqualTo(60);
    assertThat(accuracy.value(19, 1)).hasValue(0.99);
  }

  @Test
  void linesThatMakeNoSenseArePassedOver() throws IOException {
    Path run = Files.createDirectory(dir.resolve("odd"));
    Files.writeString(
        run.resolve("metrics.csv"),
        """
        node,round,metric,value,time
        0,1,a,0.5,1.0
        x,1,a,0.5,1.0
        0,1,a,0.5
        0,1,,0.5,1.0
        -2,1,a,1,1
        99999999999,1,a,1,1

        0,2,a,-1.5E-7,2
        1,2,a,NaN,2
        2,2,a,12345678901234567890.5,2
        0,3,a,0.5,1.0,7
        """);
    SavedRun results = SavedRun.read(run);
    MetricColumn a = results.metric("a").orElseThrow();
    assertThat(a.size()).isEqualTo(4);
    assertThat(a.values(1)).containsExactly(-1.5e-7, Double.NaN, 12345678901234567890.5);
    assertThat(results.skippedLines()).isEqualTo(7);
  }

  @Test
  void numbersSurviveExactly() {
    RunDirectory run = RunDirectory.create(dir.resolve("numbers"));
    SplittableRandom random = new SplittableRandom(3);
    double[] values =
        IntStream.range(0, 3000)
            .mapToDouble(i ->
                switch (i % 4) {
                  case 0 -> random.nextDouble();
                  case 1 -> (float) random.nextDouble();
                  case 2 -> random.nextInt() / 1000.0;
                  default -> Double.longBitsToDouble(random.nextLong());
                })
            .toArray();
    try (MetricsWriter metrics = run.metrics()) {
      for (int i = 0; i < values.length; i++) {
        metrics.record(i, 0, "x", values[i], Duration.ZERO);
      }
    }
    assertThat(SavedRun.read(run.path()).metric("x").orElseThrow().values(0))
        .containsExactly(values);
  }

  @Test
  void manyThreadsMayRecord() throws Exception {
    RunDirectory run = RunDirectory.create(dir.resolve("threads"));
    try (MetricsWriter metrics = run.metrics();
        var threads = Executors.newFixedThreadPool(8)) {
      List<Callable<Void>> recorders =
          IntStream.range(0, 8)
              .<Callable<Void>>mapToObj(node ->
                  () -> {
                    for (int round = 0; round < 500; round++) {
                      metrics.record(node, round, "x", node * round, Duration.ofMillis(round));
                    }
                    return null;
                  })
              .toList();
      for (var done : threads.invokeAll(recorders)) {
        done.get();
      }
    }
    SavedRun results = SavedRun.read(run.path());
    assertThat(results.skippedLines()).isZero();
    assertThat(results.metric("x").orElseThrow().size()).isEqualTo(4000);
  }

  @Test
  void aDirectoryThatIsNoRunIsTold() throws IOException {
    Path foreign = Files.createDirectory(dir.resolve("foreign"));
    Files.writeString(foreign.resolve("notes.txt"), "hello");
    assertThatThrownBy(() -> SavedRun.read(foreign))
        .isInstanceOf(UserException.class)
        .hasMessageContaining("not the directory of a run");
    assertThatThrownBy(() -> SavedRun.read(dir.resolve("missing")))
        .isInstanceOf(UserException.class)
        .hasMessageContaining("there is no run directory");
    assertThatThrownBy(() -> RunDirectory.create(foreign))
        .isInstanceOf(UserException.class)
        .hasMessageContaining("not empty");
  }

  @Test
  void namesThatAreTakenGetANumber() {
    assertThat(RunDirectory.createIn(dir, "my run").path()).hasFileName("my-run");
    assertThat(RunDirectory.createIn(dir, "my run").path()).hasFileName("my-run-2");
  }

  @Test
  void namesInAnyAlphabetAreFolders() {
    assertThat(RunDirectory.folderName("Größe тест 実験")).isEqualTo("Größe-тест-実験");
    assertThat(RunDirectory.folderName("../etc")).isEqualTo("etc");
    assertThat(RunDirectory.folderName("???")).isEqualTo("run");
    assertThat(RunDirectory.folderName("実".repeat(100))).isEqualTo("実".repeat(66));
  }
}
