package dev.grapevine.app.draft;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.app.CommandRun;
import dev.grapevine.experiment.Experiment;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NewCommandTest {

  @TempDir private Path folder;

  private Path file;

  @BeforeEach
  void chooseFile() {
    file = folder.resolve("mine.toml");
  }

  @Test
  void writesAFileThatIsAnExperiment() throws Exception {
    assertThat(CommandRun.of("new", file).exitCode()).isZero();

    Experiment experiment = Experiment.read(file);
    assertThat(experiment.name()).isEqualTo("mine");
    assertThat(experiment.nodes().count()).isEqualTo(16);
    assertThat(Files.readString(file)).contains("# degree = 4", "jwins++");
  }

  @Test
  void takesAnswersFromOptions() {
    CommandRun run =
        CommandRun.of(
            "new",
            file,
            "--name",
            "x",
            "--nodes",
            "5",
            "--topology",
            "ring",
            "--runtime",
            "simulated");

    assertThat(run.exitCode()).isZero();
    Experiment experiment = Experiment.read(file);
    assertThat(experiment.topology().name()).isEqualTo("ring");
    assertThat(experiment.nodes().count()).isEqualTo(5);
    assertThat(experiment.runtime().name()).isEqualTo("simulated");
  }

  @Test
  void leavesWhatIsThere() throws Exception {
    Files.writeString(file, "mine");

    assertThat(CommandRun.of("new", file).exitCode()).isEqualTo(2);
    assertThat(file).hasContent("mine");
    assertThat(CommandRun.of("new", file, "--force").exitCode()).isZero();
  }

  @Test
  void refusesWhatIsNoAnswer() {
    assertThat(CommandRun.of("new", file, "--topology", "rign").err()).contains("ring");
    assertThat(CommandRun.of("new", file, "--nodes", "-3").exitCode()).isEqualTo(2);
    assertThat(file).doesNotExist();
  }
}
