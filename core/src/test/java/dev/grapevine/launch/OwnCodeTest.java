package dev.grapevine.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.grapevine.UserException;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.experiment.ExperimentCheck;
import dev.grapevine.results.SavedRun;
import dev.grapevine.runtime.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Mistakes in code that an experiment brings along are shown where they stand. */
@Timeout(60)
class OwnCodeTest {

  private static final String SMALL =
      """
      name = "small"
      rounds = 3
      [nodes]
      count = 3
      [topology]
      kind = "ring"
      [data]
      set = "blobs"
      [model]
      kind = "logistic"
      [evaluation]
      every = 1
      """;

  private static final String PROTOCOL =
      """
      import dev.grapevine.node.Node;
      import dev.grapevine.protocol.Protocol;

      public final class Mine implements Protocol {
        public Mine() {
          CONSTRUCTOR
        }

        @Override
        public void run(Node self) throws InterruptedException {
          for (int round = 0; round < self.rounds(); round++) {
            self.train();
            BODY
            self.evaluate(round);
          }
        }
      }
      """;

  @TempDir private Path folder;

  @BeforeEach
  void hold() {
    System.clearProperty("own.released");
  }

  /** Lets threads end that were left behind. */
  @AfterEach
  void release() {
    System.setProperty("own.released", "true");
  }

  private Experiment protocol(String constructor, String body, String... settings)
      throws IOException {
    Files.writeString(
        folder.resolve("Mine.java"),
        PROTOCOL.replace("CONSTRUCTOR", constructor).replace("BODY", body));
    return Experiment.parse(SMALL + "[protocol]\nkind = \"Mine.java\"\n", folder)
        .with(List.of(settings));
  }

  private RunResult run(Experiment experiment) {
    return Run.of(experiment).into(folder.resolve("run")).start();
  }

  @ParameterizedTest
  @ValueSource(strings = {"live", "simulated"})
  void anExceptionNamesFileAndLineAndItsTraceIsKept(String runtime) throws IOException {
    RunResult result =
        run(
            protocol(
                "", "int[] three = new int[3]; three[round + 3] = 1;", "runtime.kind=" + runtime));

    assertThat(result.outcome().ending()).isEqualTo(Outcome.Ending.FAILED);
    assertThat(result.outcome().reason())
        .contains("Mine.java:13: ArrayIndexOutOfBoundsException: Index 3 out of bounds");
    assertThat(Files.readString(result.directory().logFile()))
        .contains("failed in round 0", "at own//Mine.run(Mine.java:13)");
  }

  @Test
  void aConstructorThatFailsIsOneSentence() throws IOException {
    Experiment experiment = protocol("Object nothing = null; nothing.toString();", "");

    assertThatThrownBy(() -> ExperimentCheck.check(experiment))
        .isInstanceOf(UserException.class)
        .message()
        .contains("protocol Mine cannot be made: Mine.java:6: NullPointerException")
        .hasLineCount(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"live", "simulated"})
  void aLoopWithoutEndIsNoticedAndNamed(String runtime) throws IOException {
    RunResult result =
        run(
            protocol(
                "",
                "while (self.id() == 1 && !Boolean.getBoolean(\"own.released\")) { }",
                "runtime.kind=" + runtime,
                "runtime.stall-after=200 ms"));

    assertThat(result.outcome().ending()).isEqualTo(Outcome.Ending.STALLED);
    assertThat(result.outcome().reason())
        .contains("node 1 computes without end in Mine.java:13 (run)", "runtime.stall-after");
  }

  @ParameterizedTest
  @ValueSource(strings = {"live", "simulated"})
  void anInterruptEndsALoopWithoutEnd(String runtime) throws IOException {
    Experiment experiment =
        protocol(
            "",
            "while (self.id() == 1 && round == 1 && !Boolean.getBoolean(\"own.released\")) { }",
            "runtime.kind=" + runtime);
    Thread runner = Thread.currentThread();

    RunResult result =
        Run.of(experiment)
            .into(folder.resolve("run"))
            .listener(progress -> runner.interrupt())
            .start();

    assertThat(result.outcome().ending()).isEqualTo(Outcome.Ending.INTERRUPTED);
  }

  @Test
  void whatOwnCodeWasIsKeptAndTellsRunsApart() throws IOException {
    Experiment before = protocol("", "");
    SavedRun first = run(before).read();

    assertThat(folder.resolve("run/sources/Mine.java")).exists();
    assertThat(first.fileHashes()).containsOnlyKeys("Mine.java");

    Experiment after = protocol("", "// another one");
    assertThat(after.toToml()).isEqualTo(before.toToml());
    assertThat(after.files().fingerprint()).isNotEqualTo(first.fileHashes().toString());
    assertThat(after.files().sources().firstEntry().getValue())
        .isNotEqualTo(first.fileHashes().get("Mine.java"));
  }

  @Test
  void aModelWithTooFewOutputsIsFoundBeforeTheRun() throws IOException {
    Files.writeString(
        folder.resolve("Small.java"),
        """
        import dev.grapevine.engine.Model;
        import dev.grapevine.learning.ModelContext;

        public final class Small {
          public static Model create(ModelContext data) {
            return Model.flat("small", data.inputSize()).linear(3).crossEntropy();
          }
        }
        """);
    Experiment experiment = Experiment.parse(SMALL, folder).with(List.of("model.kind=Small.java"));

    assertThatThrownBy(() -> ExperimentCheck.check(experiment))
        .hasMessageContaining("model small has 3 outputs, but blobs has 10 classes");
    assertThatThrownBy(() -> run(experiment))
        .hasMessageContaining("model small has 3 outputs, but blobs has 10 classes");
  }

  @Test
  void theOddOneOutIsNamed() {
    Experiment experiment =
        Experiment.parse(
            SMALL.replace("logistic", "mlp")
                + "[[override]]\nnodes = \"0-1\"\nmodel.hidden = 64\n");

    assertThatThrownBy(() -> ExperimentCheck.check(experiment)).hasMessageContaining("node 2 has");
  }

  @ParameterizedTest
  @ValueSource(strings = {"sharing.kind = \"topk\"", "protocol.kind = \"gossip\""})
  void aRehearsalFindsNodesThatDoNotUnderstandEachOther(String change) {
    Experiment experiment =
        Experiment.parse(SMALL + "[[override]]\nnodes = \"1\"\n" + change + "\n");

    assertThat(Rehearsal.isWorthwhile(experiment, 100)).isTrue();
    assertThat(Rehearsal.of(experiment, folder)).isPresent();
    assertThat(Rehearsal.of(Experiment.parse(SMALL), folder)).isEmpty();
  }
}
