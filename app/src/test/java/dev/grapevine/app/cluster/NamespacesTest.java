package dev.grapevine.app.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.grapevine.results.SavedRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two machines, as far as the network can tell: two namespaces that a pair of virtual cables
 * connects. Skipped where this user may not make any.
 */
final class NamespacesTest {

  private static final String NAME = "gv" + ProcessHandle.current().pid() % 100_000;
  private static final String ONE = NAME + "a";
  private static final String TWO = NAME + "b";

  @TempDir private Path folder;

  private CommandProcesses processes;

  @BeforeEach
  void connectTwoMachines() throws Exception {
    processes = new CommandProcesses(folder);
    assumeTrue(ip("netns", "add", ONE), "this user may not make network namespaces");
    assertThat(ip("netns", "add", TWO)).isTrue();
    assertThat(ip("-n", ONE, "link", "add", ONE, "type", "veth", "peer", "name", TWO, "netns", TWO))
        .isTrue();
    for (String each : List.of(ONE, TWO)) {
      String address = "10.77.0.%d/24".formatted(each.equals(ONE) ? 1 : 2);
      assertThat(ip("-n", each, "address", "add", address, "dev", each)).isTrue();
      assertThat(ip("-n", each, "link", "set", each, "up")).isTrue();
      assertThat(ip("-n", each, "link", "set", "lo", "up")).isTrue();
    }
  }

  @AfterEach
  void leaveNothing() throws Exception {
    processes.close();
    ip("netns", "del", ONE);
    ip("netns", "del", TWO);
  }

  /** Whether a command of ip succeeds. */
  private static boolean ip(String... words) throws InterruptedException {
    return succeeds(Stream.concat(Stream.of("ip"), Stream.of(words)).toArray(String[]::new));
  }

  /** Whether a command succeeds. */
  private static boolean succeeds(String... words) throws InterruptedException {
    try {
      return new ProcessBuilder(words)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException noSuchCommand) {
      return false;
    }
  }

  /** Launches on both machines from the first. */
  private Process launch(int rounds, String... options) throws Exception {
    return launch(SmallExperiment.write(folder, rounds, ""), options);
  }

  private Process launch(String file, String... options) throws Exception {
    Path hosts = folder.resolve("hosts.txt");
    Files.writeString(hosts, "%s workers=2%n%s workers=1%n".formatted(ONE, TWO));
    Path shell =
        CommandProcesses.script(folder.resolve("enter"), "exec ip netns exec \"$1\" sh -c \"$2\"");
    List<String> command = new ArrayList<>(List.of("ip", "netns", "exec", ONE));
    List<String> grapevine = CommandProcesses.grapevine();
    command.add(grapevine.getFirst());
    command.add("-Dgrapevine.home=" + processes.home());
    command.addAll(grapevine.subList(1, grapevine.size()));
    command.addAll(List.of("launch", file, "--hosts", hosts.toString()));
    command.addAll(List.of("--rsh", shell.toString(), "--address", "10.77.0.1", "--out", "run"));
    return processes.startWith(command, options);
  }

  @Test
  void twoMachinesGiveTheModelsOfOneOverTls() throws Exception {
    Process alone = processes.runAlone(20, "");
    Process launcher = launch(20, "--save-models");
    assertThat(CommandProcesses.code(alone)).isZero();
    assertThat(CommandProcesses.code(launcher)).as(processes.said()).isZero();
    SmallExperiment.assertSameModels(folder.resolve("run"), folder.resolve("alone"));
    assertThat(processes.text("run/deployment.json"))
        .contains("\"address\" : \"10.77.0.1\"")
        .contains("\"address\" : \"10.77.0.2\"");
  }

  @Test
  void aMachineThatCannotBeReachedIsNamed() throws Exception {
    Process launcher = launch(SmallExperiment.ENDLESS, "--dead-after", "3");
    List<Long> workers = processes.workers("run", launcher);
    assertThat(ip("-n", TWO, "link", "set", TWO, "down")).isTrue();
    assertThat(CommandProcesses.code(launcher)).as(processes.said()).isEqualTo(75);
    assertThat(processes.said())
        .contains("worker 2 on ")
        .contains("(nodes 4-5, in round ")
        .contains("no sign of life for 3 s");
    CommandProcesses.awaitEnd(workers);
  }

  /**
   * A cable that is out for longer than the run's patience, as 30 s would be of the usual ten: the
   * machine is lost, the others go on, and when the cable is back its worker is kept out and ends.
   */
  @Test
  void aCableThatIsOutForLongCostsItsMachineOnly() throws Exception {
    String file =
        SmallExperiment.write(
            folder, SmallExperiment.ENDLESS, "[faults]\nfailed-node = \"drop\"\n");
    Process launcher = launch(file, "--dead-after", "2");
    List<Long> workers = processes.workers("run", launcher);
    assertThat(ip("-n", TWO, "link", "set", TWO, "down")).isTrue();
    processes.await(
        () -> processes.text("run/deployment.json").contains("no sign of life for 2 s"));
    Path run = folder.resolve("run");
    int before = SavedRun.read(run).rounds();
    processes.await(() -> !launcher.isAlive() || SavedRun.read(run).rounds() > before + 10);
    assertThat(ip("-n", TWO, "link", "set", TWO, "up")).isTrue();
    CommandProcesses.awaitEnd(workers.subList(2, 3));
    assertThat(launcher.isAlive()).as(processes.said()).isTrue();

    launcher.destroy();
    assertThat(CommandProcesses.code(launcher)).as(processes.said()).isEqualTo(143);
    assertThat(processes.text("run/deployment.json")).contains("\"lost\" : \"worker 2 on ");
    CommandProcesses.awaitEnd(workers);
  }

  /** A slow cable that is out for five seconds: less than the run's patience is nobody's end. */
  @Test
  void aRunOutlivesACableThatIsOutForAWhile() throws Exception {
    for (String each : List.of(ONE, TWO)) {
      assumeTrue(
          succeeds(
              ("tc -n %s qdisc add dev %s root tbf rate 100mbit burst 64kb latency 200ms"
                      .formatted(each, each))
                  .split(" ")),
          "this machine cannot make a network slow");
    }
    Process launcher = launch(SmallExperiment.ENDLESS);
    List<Long> workers = processes.workers("run", launcher);
    assertThat(
            succeeds(
                "sh",
                "-c",
                "ip -n %s link set %s down && sleep 5 && ip -n %s link set %s up"
                    .formatted(TWO, TWO, TWO, TWO)))
        .isTrue();
    Path run = folder.resolve("run");
    int before = SavedRun.read(run).rounds();
    processes.await(() -> !launcher.isAlive() || SavedRun.read(run).rounds() > before + 10);
    launcher.destroy();
    assertThat(CommandProcesses.code(launcher)).as(processes.said()).isEqualTo(143);
    assertThat(processes.text("run/deployment.json")).doesNotContain("\"lost\" : \"");
    CommandProcesses.awaitEnd(workers);
  }
}
