package dev.grapevine.app.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.app.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplayCommandTest {

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
      [sharing]
      kind = "MySharing.java"
      [evaluation]
      every = 2
      samples = 50
      [runtime]
      kind = "%s"
      """;

  @TempDir Path folder;
  private Path file;

  @BeforeEach
  void copyOwnSharing() throws IOException {
    file = folder.resolve("there").resolve("small.toml");
    Files.createDirectories(file.getParent());
    Files.copy(
        Path.of("../examples/own-sharing/MySharing.java"), file.resolveSibling("MySharing.java"));
  }

  private Path run(String runtime) throws IOException {
    Files.writeString(file, SMALL.formatted(runtime));
    Path out = folder.resolve("run");
    assertThat(CommandRun.of("run", file, "--out", out).exitCode()).isZero();
    return out;
  }

  @Test
  void sameExperimentGivesTheSameResult() throws IOException {
    for (String runtime : List.of("simulated", "live")) {
      Path run = run(runtime);
      CommandRun replay = CommandRun.of("replay", run);
      assertThat(replay.out()).contains("identical").doesNotContain("different");
      assertThat(replay.exitCode()).isZero();
      assertThat(folder.resolve("run-replay").resolve("summary.json")).exists();
      Files.move(run, folder.resolve("was-" + runtime));
    }
  }

  @Test
  void aForkBranchesOffItsParentAgain() throws IOException {
    Files.writeString(file, SMALL.formatted("simulated"));
    Path parent = folder.resolve("parent");
    Path fork = folder.resolve("fork");
    CommandRun.of("run", file, "--out", parent, "--checkpoint", "2");
    CommandRun.of("fork", parent, "--at", "2", "--set", "training.rate=0.2", "--out", fork);
    CommandRun replay = CommandRun.of("replay", fork);
    assertThat(replay.out()).contains("identical").doesNotContain("different");
    assertThat(replay.exitCode()).isZero();

    Files.move(parent, folder.resolve("elsewhere"));
    CommandRun without = CommandRun.of("replay", fork);
    assertThat(without.exitCode()).isEqualTo(2);
    assertThat(without.err()).contains("branched off").contains("can only begin there");
  }

  @Test
  void saysWhereTheFirstDifferenceIs() throws IOException {
    Path metrics = run("simulated").resolve("metrics.csv");
    String forged =
        Pattern.compile("(2,3,test_accuracy),[0-9.]+")
            .matcher(Files.readString(metrics))
            .replaceFirst((MatchResult found) -> found.group(1) + ",0.123456");
    Files.writeString(metrics, forged);
    CommandRun replay = CommandRun.of("replay", folder.resolve("run"));
    assertThat(replay.out())
        .contains("first in round 4, node 2, test_accuracy: recorded 0.123456, now ")
        .contains("different: 1 of ");
    assertThat(replay.exitCode()).isEqualTo(1);
  }

  @Test
  void comparesWhatARunThatWasCutOffHas() throws IOException {
    Path run = run("simulated");
    Files.delete(run.resolve("summary.json"));
    Path metrics = run.resolve("metrics.csv");
    byte[] bytes = Files.readAllBytes(metrics);
    Files.write(metrics, java.util.Arrays.copyOf(bytes, bytes.length * 2 / 3));
    CommandRun replay = CommandRun.of("replay", run, "--out", folder.resolve("again"));
    assertThat(replay.out()).contains("did not come to its end").contains("identical");
    assertThat(replay.exitCode()).isZero();
  }

  @Test
  void refusesWhatIsNoRun() {
    CommandRun replay = CommandRun.of("replay", folder.resolve("nowhere"));
    assertThat(replay.exitCode()).isEqualTo(2);
    assertThat(replay.err()).contains("there is no run directory");
  }
}
