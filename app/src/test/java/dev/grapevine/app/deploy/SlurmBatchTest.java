package dev.grapevine.app.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.grapevine.app.console.ShellWord;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SlurmBatchTest {

  private static final Path LAUNCHER = Path.of("/opt/grapevine/grapevine");
  private static final Path DIRECTORY = Path.of("/home/me/it's work");

  private static EngineJob job(String... options) {
    return new EngineJob("Ring of 16", Path.of("my ring.toml"), 8, 2, 3000, List.of(options));
  }

  @Test
  void everyTaskIsAWorker(@TempDir Path folder) throws Exception {
    String text = SlurmBatch.text(job("--out", "runs/ring"), LAUNCHER, DIRECTORY);

    assertThat(text)
        .isEqualTo(
            """
            #!/bin/sh
            #SBATCH --job-name=grapevine-ring-of-16
            #SBATCH --output=grapevine-ring-of-16-%j.log
            #SBATCH --open-mode=append
            #SBATCH --mem-per-cpu=1500M
            #SBATCH --ntasks=8
            #SBATCH --cpus-per-task=2
            # Workers hear that their time is nearly up, and end in order; a job that is pre-empted
            # or loses a machine goes back into the queue.
            #SBATCH --signal=TERM@120
            #SBATCH --requeue
            set -eu
            cd '/home/me/it'\\''s work'

            # Workers meet in a directory that all machines see. The run's secret is made there, and you
            # alone can read it.
            meet=$PWD/.meet/$SLURM_JOB_ID.${SLURM_RESTART_COUNT:-0}
            (umask 077 && mkdir -p "$meet")
            # Builds, if need be, once and here; workers never do.
            /opt/grapevine/grapevine check 'my ring.toml'
            export GRAPEVINE_BUILD=never

            code=0
            srun --kill-on-bad-exit=0 --cpus-per-task=2 \\
              /opt/grapevine/grapevine worker 'my ring.toml' --rendezvous "$meet" --out runs/ring || code=$?
            rm -rf "$meet"
            exit $code
            """);
    assertThat(isShell(text, folder)).isTrue();
  }

  @Test
  void aSweepIsAnArray(@TempDir Path folder) throws Exception {
    String text = SlurmBatch.sweep(job("--out", "runs/sweep"), LAUNCHER, DIRECTORY, 12, 4);

    assertThat(text)
        .isEqualTo(
            """
            #!/bin/sh
            #SBATCH --job-name=grapevine-ring-of-16
            #SBATCH --output=grapevine-ring-of-16-%A-%a.log
            #SBATCH --open-mode=append
            #SBATCH --mem-per-cpu=1500M
            #SBATCH --array=0-11%4
            #SBATCH --ntasks=1
            #SBATCH --cpus-per-task=2
            #SBATCH --requeue
            set -eu
            cd '/home/me/it'\\''s work'
            export GRAPEVINE_BUILD=never
            exec /opt/grapevine/grapevine sweep 'my ring.toml' --point "$SLURM_ARRAY_TASK_ID" --out runs/sweep
            """);
    assertThat(isShell(text, folder)).isTrue();
  }

  private static boolean isShell(String text, Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("job"), text);
    return new ProcessBuilder("sh", "-n", file.toString()).inheritIO().start().waitFor() == 0;
  }

  /** The shell itself is asked what it makes of a quoted word. */
  @Test
  void quotedWordsAreTakenAsTheyAre() throws Exception {
    for (String word :
        List.of("a", "a b", "it's", "$HOME `id`", "", "-x", "*", "a\nb", "\\", "é")) {
      Process shell = new ProcessBuilder("sh", "-c", "printf %s " + ShellWord.quote(word)).start();
      assertThat(new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
          .isEqualTo(word);
    }
  }

  @Test
  void whatCannotBeIsRefused() {
    assertThatThrownBy(() -> new EngineJob("x", Path.of("x"), 0, 1, 0, List.of()))
        .hasMessageContaining("workers=0");
    assertThatThrownBy(() -> new EngineJob("x", Path.of("x"), 1, 0, 0, List.of()))
        .hasMessageContaining("threads=0");
  }
}
