package dev.grapevine.app.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.app.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SweepElsewhereTest {

  private static final String HOME = "grapevine.home";

  @TempDir private Path folder;
  private Path file;
  private Path out;
  private String before;

  @BeforeEach
  void write() throws IOException {
    before = System.setProperty(HOME, "/opt/grapevine");
    out = folder.resolve("out");
    file =
        Files.writeString(
            folder.resolve("sweep.toml"),
            """
            name = "small"
            rounds = 2
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
            seeds = [90]
            "training.rate" = [0.1, 0.2, 0.3]
            """);
  }

  @AfterEach
  void restore() {
    if (before == null) {
      System.clearProperty(HOME);
    } else {
      System.setProperty(HOME, before);
    }
  }

  private CommandRun sweep(Object... more) {
    return CommandRun.of(
        Stream.concat(Stream.of("sweep", file, "--out", out), Stream.of(more)).toArray());
  }

  private long done() throws IOException {
    try (Stream<Path> all = Files.walk(out)) {
      return all.filter(path -> path.endsWith("summary.json")).count();
    }
  }

  @Test
  void onePointRunsByItself() throws Exception {
    assertThat(sweep("--point", 1).exitCode()).isZero();
    assertThat(done()).isOne();
    assertThat(sweep("--point", 1).exitCode()).isZero();
    assertThat(sweep("--point", 3).err())
        .isEqualToIgnoringNewLines("there are 3 experiments, numbered from 0: point=3");
  }

  @Test
  void anEngineRunsWhatIsNotDone() throws Exception {
    sweep("--point", 0);
    CommandRun run = sweep("--on", "pretend");

    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains("rate").doesNotContain("not done");
    assertThat(done()).isEqualTo(3);
  }

  @Test
  void slurmGetsAnArrayJob() {
    CommandRun run = sweep("--on", "slurm", "--dry-run", "--threads", 2, "--set", "rounds=3");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .contains("#SBATCH --array=0-2\n", "#SBATCH --cpus-per-task=2\n")
        .contains("exec /opt/grapevine/grapevine sweep " + file)
        .contains("--point \"$SLURM_ARRAY_TASK_ID\" --set rounds=3 --out " + out);
  }

  @Test
  void anUnknownEngineIsAMistake() {
    CommandRun run = sweep("--on", "ray");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("no engine \"ray\"");
  }
}
