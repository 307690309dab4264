package dev.grapevine.app.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.app.CommandRun;
import dev.grapevine.app.Grapevine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SweepCommandTest {

  private static final String SMALL =
      """
      name = "small"
      rounds = 4
      [nodes]
      count = 4
      [topology]
      kind = "ring"
      [data]
      set = "fashion-mnist-mini"
      [model]
      kind = "logistic"
      [evaluation]
      every = 2
      samples = 50
      [sweep]
      "training.rate" = [0.001, 0.05]
      seeds = [1, 2]
      """;

  @TempDir Path folder;

  private Path file(String toml) throws IOException {
    return Files.writeString(folder.resolve("small.toml"), toml);
  }

  private static String table(CommandRun run, Path sweep) throws IOException {
    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
    String rows = run.out().substring(0, run.out().indexOf("Sorted by"));
    return rows + Files.readString(sweep.resolve("results.csv"));
  }

  private static List<Path> runs(Path sweep) throws IOException {
    try (Stream<Path> inside = Files.list(sweep)) {
      return inside.filter(Files::isDirectory).sorted().toList();
    }
  }

  @Test
  void ranksByAccuracyOverSeeds() throws IOException {
    CommandRun run = CommandRun.of("sweep", file(SMALL), "--out", folder.resolve("sweep"));
    assertThat(run.exitCode()).as(run.out() + run.err()).isZero();
    List<String> lines = run.out().lines().toList();
    assertThat(lines.get(0)).contains("rank", "training.rate", "seeds", "test %");
    assertThat(lines.get(1)).startsWith("1").contains("0.05", " 2 ", "±");
    assertThat(lines.get(2)).startsWith("2").contains("0.001");
    assertThat(run.out()).contains("Sorted by test accuracy");
  }

  @Test
  void killedAndResumedGivesTheSameTable() throws IOException {
    Path whole = folder.resolve("whole");
    String expected = table(CommandRun.of("sweep", file(SMALL), "--out", whole), whole);
    List<Path> done = runs(whole);
    assertThat(done).hasSize(4);
    // What a kill leaves: nothing, an empty folder, no summary, a summary that is cut off.
    delete(done.get(0));
    delete(done.get(1));
    Files.createDirectory(done.get(1));
    Files.delete(done.get(2).resolve("summary.json"));
    Files.writeString(done.get(2).resolve("metrics.csv"), "node,round,metric,val");
    Path kept = done.get(3).resolve("provenance.json");
    Object before = Files.getLastModifiedTime(kept);
    assertThat(table(CommandRun.of("sweep", file(SMALL), "--out", whole), whole))
        .isEqualTo(expected);
    assertThat(Files.getLastModifiedTime(kept)).isEqualTo(before);
    Path summary = done.get(3).resolve("summary.json");
    Files.writeString(summary, Files.readString(summary).substring(0, 40));
    assertThat(table(CommandRun.of("sweep", file(SMALL), "--out", whole), whole))
        .isEqualTo(expected);
    assertThat(runs(whole)).isEqualTo(done);
  }

  @Test
  void ownCodeThatHasChangedIsRunAnew() throws IOException {
    Path sweep = folder.resolve("sweep");
    Path file = file(SMALL + "[protocol]\nkind = \"Mine.java\"\n");
    String source =
        """
        import dev.grapevine.node.Node;
        import dev.grapevine.protocol.Protocol;

        public final class Mine implements Protocol {
          @Override
          public void run(Node self) throws InterruptedException {
            for (int round = 0; round < self.rounds(); round++) {
              self.evaluate(round);
            }
          }
        }
        """;
    Files.writeString(file.resolveSibling("Mine.java"), source);
    String untrained = table(CommandRun.of("sweep", file, "--out", sweep), sweep);
    assertThat(table(CommandRun.of("sweep", file, "--out", sweep), sweep)).isEqualTo(untrained);

    Files.writeString(
        file.resolveSibling("Mine.java"),
        source.replace("self.evaluate", "self.train();\n      self.evaluate"));

    assertThat(table(CommandRun.of("sweep", file, "--out", sweep), sweep)).isNotEqualTo(untrained);
  }

  @Test
  void parallelGivesTheSameTable() throws IOException {
    Path one = folder.resolve("one");
    Path three = folder.resolve("three");
    String expected = table(CommandRun.of("sweep", file(SMALL), "--out", one), one);
    CommandRun run = CommandRun.of("sweep", file(SMALL), "--out", three, "--parallel", 3);
    assertThat(table(run, three)).isEqualTo(expected);
  }

  @Test
  void aKilledProcessLeavesNothingThatConfuses() throws Exception {
    Path sweep = folder.resolve("sweep");
    Path file = file(SMALL.replace("seeds = [1, 2]", "seeds = [1, 2, 3, 4, 5, 6]"));
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-modules",
                "jdk.incubator.vector",
                "-cp",
                System.getProperty("java.class.path"),
                Grapevine.class.getName(),
                "sweep",
                file.toString(),
                "--out",
                sweep.toString()));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      // Waits for a file, not for a time: the kill comes in the middle of some later run.
      while (process.isAlive() && (!Files.exists(sweep) || runs(sweep).size() < 3)) {
        Thread.onSpinWait();
        process.waitFor(5, TimeUnit.MILLISECONDS);
      }
    } finally {
      process.destroyForcibly().waitFor();
    }
    assertThat(runs(sweep).size()).isGreaterThanOrEqualTo(3);
    String resumed = table(CommandRun.of("sweep", file, "--out", sweep), sweep);
    Path fresh = folder.resolve("fresh");
    assertThat(resumed).isEqualTo(table(CommandRun.of("sweep", file, "--out", fresh), fresh));
  }

  @Test
  void aPointThatFailsDoesNotStopTheOthers() throws IOException {
    String toml =
        SMALL
            .replace("seeds = [1, 2]", "\"data.shards-per-node\" = [1, 100000]")
            .replace("\"training.rate\" = [0.001, 0.05]\n", "")
            .replace("set = ", "partition = \"shards\"\nset = ");
    CommandRun run = CommandRun.of("sweep", file(toml), "--out", folder.resolve("sweep"));
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out()).contains("failed: shards-per-node=100000").contains("0 of 1");
  }

  @Test
  void refusesWhatDoesNotFit() throws IOException {
    assertThat(CommandRun.of("sweep", file(SMALL), "--parallel", 100_000).err())
        .contains("100000 runs at a time may need");
    assertThat(CommandRun.of("sweep", file(SMALL.substring(0, SMALL.indexOf("[sweep]")))).err())
        .contains("has no table [sweep]");
  }

  private static void delete(Path path) throws IOException {
    try (Stream<Path> inside = Files.walk(path)) {
      for (Path file : inside.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
