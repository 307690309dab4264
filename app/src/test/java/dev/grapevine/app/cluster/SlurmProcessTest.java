package dev.grapevine.app.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.grapevine.results.SavedRun;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Workers as tasks of Slurm; skipped where there is none, see docs/deployment.md. */
final class SlurmProcessTest {

  private static final int TASKS = 4;

  @TempDir private Path folder;

  private CommandProcesses processes;

  @BeforeEach
  void requireSlurm() throws Exception {
    processes = new CommandProcesses(folder);
    assumeTrue(isThere(), "no Slurm answers here");
  }

  @AfterEach
  void leaveNobody() {
    processes.close();
  }

  private static boolean isThere() throws InterruptedException {
    try {
      Process asked =
          new ProcessBuilder("srun", "-n", "" + TASKS, "--immediate=5", "true")
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (!asked.waitFor(20, TimeUnit.SECONDS)) {
        asked.destroyForcibly();
        return false;
      }
      return asked.exitValue() == 0;
    } catch (IOException noSuchCommand) {
      return false;
    }
  }

  private Process srun(int rounds, String name) throws Exception {
    String file = SmallExperiment.write(folder, rounds, "");
    return processes.startWith(
        List.of(
            "srun", "-n", "" + TASKS, "-J", name, processes.home().resolve("grapevine").toString()),
        "worker",
        file,
        "--out",
        folder.resolve("run").toString(),
        "--save-models");
  }

  @Test
  void tasksGiveTheModelsOfOneProcess() throws Exception {
    Process alone = processes.runAlone(20, "");
    Process step = srun(20, "grapevine-test");
    assertThat(CommandProcesses.code(alone)).isZero();
    assertThat(CommandProcesses.code(step)).as(processes.said()).isZero();
    SmallExperiment.assertSameModels(folder.resolve("run"), folder.resolve("alone"));
  }

  @Test
  void aCancelledJobEndsInOrder() throws Exception {
    String name = "grapevine-" + ProcessHandle.current().pid();
    Process step = srun(SmallExperiment.ENDLESS, name);
    List<Long> workers = processes.workers("run", step);
    assertThat(new ProcessBuilder("scancel", "--signal=TERM", "-n", name).start().waitFor())
        .isZero();
    assertThat(CommandProcesses.code(step)).as(processes.said()).isEqualTo(143);
    assertThat(SavedRun.read(folder.resolve("run")).outcome()).isEqualTo("interrupted");
    CommandProcesses.awaitEnd(workers);
  }
}
