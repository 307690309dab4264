package dev.grapevine.app.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.grapevine.checkpoint.SavedCut;
import dev.grapevine.results.SavedRun;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Processes that are asked to end, or killed, and runs that go on after them. */
final class SavedProcessTest {

  /** Far more than anything here takes: only a test that hangs gets there. */
  private static final Duration LONG = Duration.ofMinutes(3);

  private static final int NODES = 6;

  @TempDir private Path folder;

  private final List<Process> started = new ArrayList<>();

  @AfterEach
  void leaveNobody() {
    started.forEach(process -> {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    });
  }

  private String experiment(String clock, int every, String more) throws IOException {
    String text =
        """
        name = "saved"
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
        every = 100
        samples = 10
        average-model = true
        [runtime]
        kind = "%s"
        [checkpoint]
        every = %d
        %s
        """
            // A virtual clock is so fast that a signal could come too late.
            .formatted(clock.equals("simulated") ? 10_000 : 3000, clock, every, more);
    return Files.writeString(folder.resolve("saved.toml"), text).toString();
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

  private String saidUpToNow() {
    try {
      return said();
    } catch (IOException unreadable) {
      return "";
    }
  }

  /** All that the wall clock has no say in. */
  private List<String> figures(String run) throws IOException {
    return Files.readAllLines(folder.resolve(run).resolve("metrics.csv")).stream()
        .filter(line -> line.matches(".*(accuracy|loss|bytes_sent|,2999,bytes_received).*"))
        .map(line -> line.substring(0, line.lastIndexOf(',')))
        .sorted()
        .toList();
  }

  private int code(Process process) throws InterruptedException {
    assertThat(process.waitFor(LONG.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
    return process.exitValue();
  }

  private void await(Process process, BooleanSupplier what) throws Exception {
    long deadline = System.nanoTime() + LONG.toNanos();
    while (!what.getAsBoolean()) {
      assertThat(process.waitFor(5, TimeUnit.MILLISECONDS)).as(said()).isFalse();
      assertThat(System.nanoTime()).as("it never came").isLessThan(deadline);
    }
  }

  private boolean isSaved(String run) {
    return !SavedCut.available(folder.resolve(run).resolve("checkpoints")).isEmpty();
  }

  private boolean hasFigures(String run) {
    try {
      return Files.size(folder.resolve(run).resolve("metrics.csv")) > 2000;
    } catch (IOException notYet) {
      return false;
    }
  }

  /** The lines of a metric that are there by now: node, round, metric, value and time. */
  private List<String[]> lines(String run, String metric) {
    try (Stream<String> all = Files.lines(folder.resolve(run).resolve("metrics.csv"))) {
      return all.map(line -> line.split(",", -1))
          .filter(line -> line.length == 5 && line[2].equals(metric))
          .toList();
    } catch (IOException | UncheckedIOException notYet) {
      return List.of();
    }
  }

  private List<Double> values(String run, String metric) {
    return lines(run, metric).stream().map(line -> Double.parseDouble(line[3])).toList();
  }

  private List<Integer> rounds(String run, String metric) {
    return lines(run, metric).stream().map(line -> Integer.parseInt(line[1])).toList();
  }

  private void assertSame(String run, String whole) {
    for (int node = 0; node < NODES; node++) {
      Path model = Path.of("models/node-%d.safetensors".formatted(node));
      assertThat(folder.resolve(run).resolve(model))
          .hasSameBinaryContentAs(folder.resolve(whole).resolve(model));
    }
    assertThat(SavedRun.summaryOf(folder.resolve(run)).orElseThrow().path("average_accuracy"))
        .isEqualTo(
            SavedRun.summaryOf(folder.resolve(whole)).orElseThrow().path("average_accuracy"));
  }

  private static void signal(String name, Process process) throws Exception {
    assertThat(new ProcessBuilder("kill", "-" + name, "" + process.pid()).start().waitFor())
        .isZero();
  }

  /** A job that a shell has put into the background ignores Ctrl-C, and so do its children. */
  private static boolean interruptsAreIgnored() throws IOException {
    Path status = Path.of("/proc/self/status");
    if (!Files.exists(status)) {
      return false;
    }
    long ignored =
        Files.readAllLines(status).stream()
            .filter(line -> line.startsWith("SigIgn:"))
            .mapToLong(line -> Long.parseUnsignedLong(line.substring(7).strip(), 16))
            .findFirst()
            .orElse(0);
    return (ignored & 2) != 0;
  }

  @ParameterizedTest
  @CsvSource({"TERM, 143", "INT, 130"})
  void aSimulatedRunThatIsAskedToEndIsSavedFirst(String signal, int code) throws Exception {
    assumeFalse(
        signal.equals("INT") && interruptsAreIgnored(),
        "whoever started these tests has switched Ctrl-C off");
    String file = experiment("simulated", 100_000, "");
    Process run = start("run", file, "--out", "cut", "--save-models");
    await(run, () -> hasFigures("cut"));
    signal(signal, run);
    assertThat(code(run)).as(said()).isEqualTo(code);
    assertThat(SavedCut.available(folder.resolve("cut/checkpoints"))).hasSize(1);

    assertThat(code(start("resume", "cut", "--save-models"))).as(said()).isZero();

    Files.copy(folder.resolve("cut/experiment.toml"), folder.resolve("unbroken.toml"));
    assertThat(code(start("run", "unbroken.toml", "--out", "whole", "--save-models"))).isZero();
    assertSame("cut", "whole");
    assertThat(SavedRun.summaryOf(folder.resolve("cut")).orElseThrow().path("trace_hash"))
        .isEqualTo(SavedRun.summaryOf(folder.resolve("whole")).orElseThrow().path("trace_hash"));
  }

  @Test
  void aLaunchThatIsAskedToEndIsSavedAndGoesOnWithFewer() throws Exception {
    String file = experiment("live", 100_000, "");
    assertThat(code(start("run", file, "--out", "whole", "--save-models"))).isZero();
    Process launch = start("launch", file, "--workers", "3", "--out", "cut", "--save-models");
    await(launch, () -> hasFigures("cut"));
    signal("TERM", launch);
    assertThat(code(launch)).as(said()).isEqualTo(143);
    assertThat(SavedCut.available(folder.resolve("cut/checkpoints"))).hasSize(1);

    assertThat(code(start("resume", "cut", "--workers", "2", "--save-models"))).as(said()).isZero();

    assertSame("cut", "whole");
  }

  /** The others wait for it, so that it is away when the launch hears that it is to end. */
  @Test
  void aLaunchThatIsAskedToEndWhileAWorkerIsAwayIsSavedOnceItIsBack() throws Exception {
    String file = experiment("live", 100_000, "[faults]\nfailed-node = \"restart\"");
    assertThat(code(start("run", file, "--out", "whole", "--save-models"))).isZero();
    Process launch = start("launch", file, "--workers", "3", "--out", "cut", "--save-models");
    await(launch, () -> hasFigures("cut"));
    launch.children().findFirst().orElseThrow().destroyForcibly();
    await(launch, () -> saidUpToNow().contains("is started again"));
    signal("TERM", launch);
    assertThat(code(launch)).as(said()).isEqualTo(143);
    assertThat(said()).contains("is back, after round 0");
    assertThat(SavedCut.available(folder.resolve("cut/checkpoints"))).hasSize(1);

    assertThat(code(start("resume", "cut", "--workers", "2", "--save-models"))).as(said()).isZero();

    assertSame("cut", "whole");
  }

  @Test
  void aKilledWorkerComesBackAloneAndAllEndsAsIfItHadNotBeenKilled() throws Exception {
    String file = experiment("live", 20, "[faults]\nfailed-node = \"restart\"");
    assertThat(code(start("run", file, "--out", "whole", "--save-models"))).isZero();
    Process launch = start("launch", file, "--workers", "3", "--out", "struck", "--save-models");
    await(launch, () -> isSaved("struck"));
    List<ProcessHandle> workers = launch.children().toList();
    workers.getFirst().destroyForcibly();
    await(launch, () -> saidUpToNow().contains("is back, after round"));
    // The others were there all the time.
    assertThat(workers.subList(1, 3)).allMatch(ProcessHandle::isAlive);

    assertThat(code(launch)).as(said()).isZero();

    assertThat(said())
        .contains("was lost")
        .contains("is started again with its nodes as they were after round")
        .contains("(restart 1 of 3)")
        .doesNotContain("all nodes go back");
    assertSame("struck", "whole");
    assertThat(figures("struck")).isEqualTo(figures("whole")).isNotEmpty();
    assertThat(SavedRun.read(folder.resolve("struck")).provenance().orElseThrow().path("resumed"))
        .isEmpty();
  }

  /** Before anything was saved, two at once, and one a second time. */
  @Test
  void workersComeBackWheneverTheyAreKilled() throws Exception {
    String file = experiment("live", 200, "[faults]\nfailed-node = \"restart\"");
    assertThat(code(start("run", file, "--out", "whole", "--save-models"))).isZero();
    Process launch = start("launch", file, "--workers", "3", "--out", "struck", "--save-models");
    await(launch, () -> hasFigures("struck"));
    List<ProcessHandle> workers = launch.children().toList();
    workers.get(0).destroyForcibly();
    workers.get(2).destroyForcibly();
    await(launch, () -> saidUpToNow().split("is back, after round", -1).length > 2);
    launch
        .children()
        .filter(each -> !workers.contains(each))
        .findFirst()
        .orElseThrow()
        .destroyForcibly();

    assertThat(code(launch)).as(said()).isZero();

    assertThat(said()).contains("(restart 3 of 3)").doesNotContain("all nodes go back");
    assertSame("struck", "whole");
    assertThat(figures("struck")).isEqualTo(figures("whole")).isNotEmpty();
  }

  /**
   * It would go on for very long, so that there is time to come back; so it is stopped in the end.
   */
  @Test
  void aKilledWorkerJoinsTheOthersAgainThatGoOnWithoutIt() throws Exception {
    String file =
        experiment(
            "live",
            20,
            """
            [faults]
            failed-node = "restart"
            missing = "go-on"
            inject = [{fault = "is-slow", node = 5, delay = "2 ms"}]
            """);
    Process launch =
        start(
            "launch",
            file,
            "--set",
            "rounds=1000000",
            "--workers",
            "3",
            // A machine that is full of other work must not look like one more loss.
            "--dead-after",
            "60",
            "--out",
            "struck");
    await(launch, () -> isSaved("struck"));
    List<ProcessHandle> workers = launch.children().toList();
    workers.getFirst().destroyForcibly();
    await(launch, () -> !values("struck", "restarts").isEmpty());
    // The others were there all the time, and were fewer for some of it.
    assertThat(workers.subList(1, 3)).allMatch(ProcessHandle::isAlive);
    int entered = rounds("struck", "restarts").getFirst();
    await(launch, () -> rounds("struck", "nodes_alive").getLast() > entered + 50);
    signal("TERM", launch);

    assertThat(code(launch)).as(said()).isEqualTo(143);

    assertThat(said())
        .contains("was lost")
        .contains("is started again with its nodes as they were after round")
        .contains("(restart 1 of 3)")
        .doesNotContain("all nodes go back");
    assertThat(values("struck", "restarts")).containsOnly(1.0).hasSize(2);
    assertThat(values("struck", "rounds_lost")).allMatch(lost -> lost > 0).hasSize(2);
    assertThat(values("struck", "nodes_alive")).contains(4.0).isSubsetOf(4.0, 5.0, 6.0);
    assertThat(values("struck", "nodes_alive").getLast()).isEqualTo(6.0);
    // What was saved in the end has all nodes.
    assertThat(
            SavedCut.available(folder.resolve("struck/checkpoints")).stream()
                .mapToInt(Integer::intValue)
                .max()
                .orElseThrow())
        .isGreaterThan(entered);
  }

  @Test
  void whereMessagesOnTheirWayAreStateAllGoBackTogether() throws Exception {
    String file =
        experiment(
            "live", 20, "[faults]\nfailed-node = \"restart\"\n[protocol]\nkind = \"federated\"");
    assertThat(code(start("run", file, "--out", "whole", "--save-models"))).isZero();
    Process launch = start("launch", file, "--workers", "3", "--out", "struck", "--save-models");
    await(launch, () -> isSaved("struck"));
    launch.children().findFirst().orElseThrow().destroyForcibly();

    assertThat(code(launch)).as(said()).isZero();

    assertThat(said()).contains("was lost").contains("(restart 1 of 3)");
    assertSame("struck", "whole");
    assertThat(SavedRun.read(folder.resolve("struck")).provenance().orElseThrow().path("resumed"))
        .hasSize(1);
  }

  @Test
  void aFaultOnPurposeInALaunchIsMendedByARestart() throws Exception {
    String file = experiment("live", 20, "[faults]\nfailed-node = \"restart\"");
    String few = "rounds=100";
    assertThat(code(start("run", file, "--set", few, "--out", "whole", "--save-models"))).isZero();
    String fault = "faults.inject=[{fault = \"throws\", node = 5, from-round = 50}]";
    Process launch =
        start(
            "launch",
            file,
            "--set",
            few,
            "--set",
            fault,
            "--workers",
            "2",
            "--out",
            "struck",
            "--save-models");

    assertThat(code(launch)).as(said()).isZero();

    assertThat(said()).contains("(restart 1 of 3)").doesNotContain("(restart 2 of 3)");
    assertSame("struck", "whole");
  }

  @Test
  void aLaunchThatIsKilledGoesOnInOneProcess() throws Exception {
    String file = experiment("live", 20, "");
    assertThat(code(start("run", file, "--out", "whole", "--save-models"))).isZero();
    Process launch = start("launch", file, "--workers", "2", "--out", "cut", "--save-models");
    await(launch, () -> isSaved("cut"));
    List<ProcessHandle> workers = launch.children().toList();
    launch.destroyForcibly();
    for (ProcessHandle worker : workers) {
      worker.destroyForcibly();
      worker.onExit().get(LONG.toMillis(), TimeUnit.MILLISECONDS);
    }
    assertThat(folder.resolve("cut/summary.json")).doesNotExist();

    assertThat(code(start("resume", "cut", "--save-models"))).as(said()).isZero();

    assertSame("cut", "whole");
  }

  @Test
  void aForkInManyProcessesEndsAsInOne() throws Exception {
    String file = experiment("live", 1000, "");
    assertThat(code(start("run", file, "--out", "parent"))).isZero();
    String[] fork = {"fork", "parent", "--at", "2000", "--set", "topology.kind=fully-connected"};
    assertThat(code(start(with(fork, "--out", "one", "--save-models")))).as(said()).isZero();

    Process many = start(with(fork, "--out", "many", "--save-models", "--workers", "3"));

    assertThat(code(many)).as(said()).isZero();
    assertSame("many", "one");
    assertThat(SavedRun.read(folder.resolve("many")).provenance().orElseThrow().path("parent"))
        .isEqualTo(SavedRun.read(folder.resolve("one")).provenance().orElseThrow().path("parent"));
  }

  private static String[] with(String[] arguments, String... more) {
    return Stream.concat(Stream.of(arguments), Stream.of(more)).toArray(String[]::new);
  }
}
