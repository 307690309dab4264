package dev.grapevine.app.cluster;

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

class JobTextsTest {

  private static final String HOME = "grapevine.home";

  @TempDir private Path folder;
  private Path file;
  private String before;

  @BeforeEach
  void write() throws IOException {
    before = System.setProperty(HOME, "/opt/grapevine");
    file =
        Files.writeString(
            folder.resolve("ring.toml"),
            """
            name = "ring"
            rounds = 2
            [runtime]
            kind = "live"
            [nodes]
            count = 4
            [topology]
            kind = "ring"
            [data]
            set = "fashion-mnist-mini"
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

  private CommandRun launch(Object... more) {
    return CommandRun.of(Stream.concat(Stream.of("launch", file), Stream.of(more)).toArray());
  }

  @Test
  void aDryRunWritesABatchFile() {
    CommandRun run =
        launch("--workers", 2, "--dry-run", "--slurm", "--set", "rounds=3", "--out", "runs/r");

    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .startsWith("#!/bin/sh\n#SBATCH --job-name=grapevine-ring\n")
        .contains("#SBATCH --ntasks=2\n", "#SBATCH --signal=TERM@120\n", "#SBATCH --requeue\n")
        .contains("/opt/grapevine/grapevine worker " + file)
        .contains("--rendezvous \"$meet\" --set rounds=3 --out runs/r || code=$?\n");
  }

  @Test
  void aJobThatSavesItselfIsRequeuedAndResumed() {
    CommandRun run = launch("--workers", 2, "--dry-run", "--slurm", "--checkpoint", 50);

    assertThat(run.out())
        .contains("--set checkpoint.every=50 --resume || code=$?\n")
        .contains("if [ $code -eq 143 ] || [ $code -eq 75 ]; then\n")
        .contains("  scontrol requeue \"$SLURM_JOB_ID\"\n");
  }

  @Test
  void aDryRunWritesAJobForKubernetes() {
    CommandRun run =
        launch("--workers", 2, "--dry-run", "--kubernetes", "--image", "me/grapevine:1");

    assertThat(run.out())
        .contains("kind: Service", "kind: Job", "completions: 2", "image: me/grapevine:1")
        .contains("- grapevine-ring-0.grapevine-ring:7077");
  }

  @Test
  void textsAreNotStarted() {
    for (CommandRun run :
        new CommandRun[] {
          launch("--workers", 2, "--slurm"),
          launch("--dry-run", "--slurm"),
          launch("--workers", 2, "--dry-run", "--slurm", "--kubernetes"),
          launch("--workers", 9, "--dry-run", "--slurm")
        }) {
      assertThat(run.exitCode()).isEqualTo(2);
      assertThat(run.err().strip()).hasLineCount(1);
    }
  }
}
