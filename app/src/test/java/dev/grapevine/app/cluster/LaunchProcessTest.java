package dev.grapevine.app.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.results.SavedRun;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Launched runs with processes of their own, and what becomes of them when one is killed. */
final class LaunchProcessTest {

  /** Far more than anything here takes: only a test that hangs gets there. */
  private static final Duration LONG = Duration.ofMinutes(3);

  private static final String DROP = "[faults]\nfailed-node = \"drop\"";

  @TempDir private Path folder;

  private final List<Process> started = new ArrayList<>();

  @AfterEach
  void leaveNobody() {
    started.forEach(process -> {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    });
  }

  private Path experiment(int rounds, String more) throws IOException {
    String text =
        """
        name = "killed"
        rounds = %d
        [nodes]
        count = 6
        [topology]
        kind = "ring"
        [data]
        set = "digits"
        [model]
        kind = "logistic"
        [training]
        steps = 1
        batch-size = 4
        [evaluation]
        every = 20
        samples = 10
        %s
        """
            .formatted(rounds, more);
    return Files.writeString(folder.resolve("killed.toml"), text);
  }

  private Process start(String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Dgrapevine.kernels=scalar"));
    command.addAll(
        List.of("-cp", System.getProperty("java.class.path"), "dev.grapevine.app.Grapevine"));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("out-%d.txt".formatted(started.size())).toFile())
            .directory(folder.toFile())
            .start();
    started.add(process);
    return process;
  }

  private String said() throws IOException {
    return Files.readString(
        folder.resolve("out-%d.txt".formatted(started.size() - 1)), StandardCharsets.UTF_8);
  }

  private static void await(BooleanSupplier what) throws InterruptedException {
    long deadline = System.nanoTime() + LONG.toNanos();
    while (!what.getAsBoolean()) {
      assertThat(System.nanoTime()).as("it never came").isLessThan(deadline);
      Thread.sleep(20);
    }
  }

  private int code(Process process) throws InterruptedException {
    assertThat(process.waitFor(LONG.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
    return process.exitValue();
  }

  /** The numbers of the workers' processes, once the run has begun and got somewhere. */
  private List<Long> workers(Path run, Process launcher) throws Exception {
    await(() -> {
      assertThat(launcher.isAlive()).as("the launcher still lives").isTrue();
      return Files.exists(run.resolve("deployment.json"))
          && SavedRun.read(run).metric("bytes_sent").isPresent();
    });
    List<Long> numbers = new ArrayList<>();
    Matcher match =
        Pattern.compile("\"process_id\" : (\\d+)")
            .matcher(Files.readString(run.resolve("deployment.json")));
    while (match.find()) {
      numbers.add(Long.parseLong(match.group(1)));
    }
    return numbers;
  }

  private static boolean isGone(long process) {
    return ProcessHandle.of(process).filter(ProcessHandle::isAlive).isEmpty();
  }

  @Test
  void processesGiveTheModelsOfOneProcess() throws Exception {
    Path file = experiment(30, "average-model = true");
    assertThat(code(start("run", file.toString(), "--out", "alone", "--save-models"))).isZero();
    int code =
        code(start("launch", file.toString(), "--workers", "3", "--out", "three", "--save-models"));
    assertThat(code).as(said()).isZero();
    assertThat(said()).contains("outcome       done");
    for (int node = 0; node < 6; node++) {
      String name = "models/node-%d.safetensors".formatted(node);
      assertThat(folder.resolve("three").resolve(name))
          .hasSameBinaryContentAs(folder.resolve("alone").resolve(name));
    }
    assertThat(folder.resolve("three/parts/worker-2/run.log")).exists();
  }

  @Test
  void aKilledWorkerEndsTheRunAndIsNamed() throws Exception {
    Process launcher =
        start("launch", experiment(1_000_000, "").toString(), "--workers", "3", "--out", "run");
    List<Long> workers = workers(folder.resolve("run"), launcher);
    ProcessHandle.of(workers.get(1)).orElseThrow().destroyForcibly();

    assertThat(code(launcher)).as(said()).isEqualTo(75);
    assertThat(said()).contains("worker 1 on ").contains("(nodes 2-3, in round ");
    assertThat(SavedRun.read(folder.resolve("run")).outcome()).isEqualTo("failed");
    assertThat(workers).allMatch(LaunchProcessTest::isGone);
  }

  @Test
  void aKilledWorkerIsDroppedWhereTheExperimentSaysSo() throws Exception {
    Path run = folder.resolve("run");
    Process launcher =
        start("launch", experiment(1_000_000, DROP).toString(), "--workers", "3", "--out", "run");
    List<Long> workers = workers(run, launcher);
    ProcessHandle.of(workers.get(2)).orElseThrow().destroyForcibly();
    await(() -> text("run/deployment.json").contains("\"lost\" : \"worker 2 on "));
    int round = SavedRun.read(run).rounds();
    await(() -> SavedRun.read(run).rounds() > round);

    launcher.destroy();
    assertThat(code(launcher)).as(said()).isEqualTo(143);
    assertThat(SavedRun.read(run).outcome()).isEqualTo("interrupted");
    assertThat(workers).allMatch(LaunchProcessTest::isGone);
  }

  @Test
  void workersEndWithTheirLauncher() throws Exception {
    Process launcher =
        start("launch", experiment(1_000_000, "").toString(), "--workers", "2", "--out", "run");
    List<Long> workers = workers(folder.resolve("run"), launcher);
    launcher.destroyForcibly();

    await(() -> workers.stream().allMatch(LaunchProcessTest::isGone));
    assertThat(SavedRun.read(folder.resolve("run/parts/worker-1")).metric("bytes_sent"))
        .isPresent();
  }

  @Test
  void aWorkerThatStoodStillIsNotLetInAgain() throws Exception {
    Process launcher =
        start(
            "launch",
            experiment(1_000_000, DROP).toString(),
            "--workers",
            "3",
            "--dead-after",
            "2",
            "--out",
            "run");
    long still = workers(folder.resolve("run"), launcher).get(1);
    signal("STOP", still);
    await(() -> text("run/deployment.json").contains("no sign of life for 2 s"));
    signal("CONT", still);
    await(() -> text("run/run.log").contains("exit code 75"));
    assertThat(isGone(still)).isTrue();
    launcher.destroy();
    assertThat(code(launcher)).as(said()).isEqualTo(143);
  }

  private String text(String file) {
    try {
      return Files.readString(folder.resolve(file));
    } catch (IOException e) {
      return "";
    }
  }

  private static void signal(String name, long process) throws Exception {
    assertThat(new ProcessBuilder("kill", "-" + name, "" + process).start().waitFor()).isZero();
  }

  @Test
  void aMistakeOfAWorkerIsTheLaunchersMistake() throws Exception {
    Process launcher =
        start("launch", experiment(10, "").toString(), "--workers", "7", "--out", "run");
    assertThat(code(launcher)).isEqualTo(2);
    assertThat(said()).contains("there must be from 1 to 6 workers");
    Process simulated =
        start(
            "launch",
            experiment(10, "[runtime]\nkind = \"simulated\"").toString(),
            "--workers",
            "2");
    assertThat(code(simulated)).isEqualTo(2);
    assertThat(said()).contains("many processes need the wall clock");
  }
}
