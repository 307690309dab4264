package dev.grapevine.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.experiment.Experiment;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Processes that are killed without a word, and what becomes of their runs. */
final class KilledRunTest {

  private static final int NODES = 6;

  @TempDir private Path folder;

  static Experiment experiment(String clock, String protocol, String scheme) {
    return Experiment.parse(
            """
            name = "killed"
            rounds = 80
            [nodes]
            count = 6
            [topology]
            kind = "ring"
            [data]
            set = "blobs"
            [model]
            kind = "logistic"
            [evaluation]
            every = 5
            average-model = true
            [checkpoint]
            every = 3
            """)
        .with(
            List.of(
                "runtime.kind=" + clock, "protocol.kind=" + protocol, "sharing.kind=" + scheme));
  }

  /** The process that is killed: says a word for every round of every node. */
  public static void main(String[] arguments) {
    Run.of(experiment(arguments[1], arguments[2], arguments[3]))
        .into(Path.of(arguments[0]))
        .savesModels(true)
        .listener(progress -> System.out.println("round"))
        .start();
  }

  @ParameterizedTest
  @CsvSource({
    "simulated, d-psgd, full, 1",
    "live, el-oracle, jwins++, 230",
    "simulated, qg-dsgdm, subsampling, 170",
    "live, dfedsam, topk, 110",
    "simulated, decentlam, full, 60",
    "live, federated, jwins++, 20",
    "live, d-psgd, topk, 20",
    "simulated, el-oracle, full, 1",
    "live, qg-dsgdm, jwins++, 230",
    "simulated, dfedsam, subsampling, 170",
    "live, decentlam, full, 110",
    "simulated, federated, full, 25",
    "simulated, d-psgd, subsampling, 60",
    "live, el-oracle, topk, 20",
    "simulated, qg-dsgdm, full, 1",
    "live, dfedsam, jwins++, 230",
    "simulated, decentlam, full, 170",
    "live, federated, topk, 25",
    "live, d-psgd, jwins++, 110",
    "simulated, gossip, full, 90"
  })
  void aKilledRunEndsAsOneThatWasLeftAlone(String clock, String protocol, String scheme, int words)
      throws IOException, InterruptedException {
    Path whole = folder.resolve("whole");
    Run.of(experiment(clock, protocol, scheme))
        .into(whole)
        .savesModels(true)
        .sharesProcess(true)
        .start();
    Path killed = folder.resolve("killed");
    kill(killed, words, clock, protocol, scheme);
    assertThat(killed.resolve("summary.json")).doesNotExist();

    Run.resume(killed, List.of()).savesModels(true).sharesProcess(true).start();

    for (int node = 0; node < NODES; node++) {
      Path model = Path.of("models/node-" + node + ".safetensors");
      assertThat(killed.resolve(model)).hasSameBinaryContentAs(whole.resolve(model));
    }
    assertThat(accuracies(killed)).isEqualTo(accuracies(whole)).isNotEmpty();
  }

  private static List<String> accuracies(Path run) throws IOException {
    return Files.readAllLines(run.resolve("metrics.csv")).stream()
        .filter(line -> line.contains("_accuracy,"))
        .map(line -> line.substring(0, line.lastIndexOf(',')))
        .sorted()
        .toList();
  }

  /** Starts a process and kills it after so many words. */
  private static void kill(Path directory, int words, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // Kernels of another sort round in another way.
    if (ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent()) {
      command.addAll(List.of("--add-modules", "jdk.incubator.vector"));
    }
    command.addAll(
        List.of(
            "-Xmx512m", "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(KilledRunTest.class.getName(), directory.toString()));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    try (BufferedReader said = process.inputReader()) {
      for (int word = 0; word < words; word++) {
        assertThat(said.readLine()).isNotNull();
      }
    } finally {
      process.destroyForcibly();
    }
    process.waitFor();
  }
}
