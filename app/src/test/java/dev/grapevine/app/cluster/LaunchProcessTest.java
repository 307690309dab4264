package dev.grapevine.app.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.app.CommandRun;
import dev.grapevine.app.watch.WatchServer;
import dev.grapevine.results.SavedRun;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Launched runs with processes of their own, and what becomes of them when one is killed. */
final class LaunchProcessTest {

  private static final String DROP = "[faults]\nfailed-node = \"drop\"";

  @TempDir private Path folder;

  private CommandProcesses processes;

  @BeforeEach
  void begin() {
    processes = new CommandProcesses(folder);
  }

  @AfterEach
  void leaveNobody() {
    processes.close();
  }

  private Process launch(int rounds, String more, String... options) throws Exception {
    List<String> command = new ArrayList<>(CommandProcesses.grapevine());
    command.addAll(List.of("launch", SmallExperiment.write(folder, rounds, more)));
    command.addAll(List.of("--out", "run"));
    return processes.startWith(command, options);
  }

  @Test
  void processesGiveTheModelsOfOneProcess() throws Exception {
    Process alone = processes.runAlone(30, "average-model = true");
    Process launcher = launch(30, "average-model = true", "--workers", "3", "--save-models");
    assertThat(CommandProcesses.code(alone)).isZero();
    assertThat(CommandProcesses.code(launcher)).as(processes.said()).isZero();
    assertThat(processes.said()).contains("outcome       done");
    Path run = folder.resolve("run");
    SmallExperiment.assertSameModels(run, folder.resolve("alone"));
    assertThat(run.resolve("parts/worker-2/run.log")).exists();

    assertCanBeLookedAt(run);
    int replayed = CommandProcesses.code(processes.start("replay", "run"));
    assertThat(replayed).as(processes.said()).isZero();
    assertThat(processes.said()).contains("verdict       identical");
  }

  @Test
  void aKilledWorkerEndsTheRunAndIsNamed() throws Exception {
    Process launcher = launch(SmallExperiment.ENDLESS, "", "--workers", "3");
    List<Long> workers = processes.workers("run", launcher);
    CommandProcesses.kill(workers.get(1));

    assertThat(CommandProcesses.code(launcher)).as(processes.said()).isEqualTo(75);
    assertThat(processes.said()).contains("worker 1 on ").contains("(nodes 2-3, in round ");
    assertThat(SavedRun.read(folder.resolve("run")).outcome()).isEqualTo("failed");
    assertThat(processes.text("run/deployment.json"))
        .containsOnlyOnce("\"lost\" : \"")
        .contains("\"lost\" : \"worker 1 on ");
    CommandProcesses.awaitEnd(workers);
  }

  /** One is killed, then one stands still; the run goes on and can be looked at all the time. */
  @Test
  void lostWorkersAreDroppedWhereTheExperimentSaysSo() throws Exception {
    Path run = folder.resolve("run");
    Process launcher = launch(SmallExperiment.ENDLESS, DROP, "--workers", "3", "--dead-after", "2");
    List<Long> workers = processes.workers("run", launcher);
    CommandProcesses.kill(workers.get(2));
    processes.await(
        () -> processes.text("run/deployment.json").contains("\"lost\" : \"worker 2 on "));
    int round = SavedRun.read(run).rounds();
    processes.await(() -> SavedRun.read(run).rounds() > round);
    assertCanBeLookedAt(run);

    CommandProcesses.signal("STOP", workers.get(1));
    processes.await(
        () -> processes.text("run/deployment.json").contains("no sign of life for 2 s"));
    CommandProcesses.signal("CONT", workers.get(1));
    processes.await(() -> processes.text("run/run.log").contains("exit code 75"));
    CommandProcesses.awaitEnd(workers.subList(1, 3));

    launcher.destroy();
    assertThat(CommandProcesses.code(launcher)).as(processes.said()).isEqualTo(143);
    assertThat(SavedRun.read(run).outcome()).isEqualTo("interrupted");
    CommandProcesses.awaitEnd(workers);
  }

  private static void assertCanBeLookedAt(Path run) throws Exception {
    for (String look : List.of("plot", "report")) {
      CommandRun looked = CommandRun.of(look, run);
      assertThat(looked.exitCode()).as(looked.err()).isZero();
    }
    try (WatchServer server = WatchServer.start(run, 0);
        HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> page =
          client.send(
              HttpRequest.newBuilder(URI.create(server.address().replace("localhost", "127.0.0.1")))
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(page.statusCode()).isEqualTo(200);
    }
  }

  @Test
  void workersEndWithTheirLauncher() throws Exception {
    Process launcher = launch(SmallExperiment.ENDLESS, "", "--workers", "2");
    List<Long> workers = processes.workers("run", launcher);
    launcher.destroyForcibly();

    CommandProcesses.awaitEnd(workers);
    Path part = folder.resolve("run/parts/worker-1");
    assertThat(Files.exists(part)).isTrue();
    int rounds = SavedRun.read(part).rounds();
    CommandRun merged = CommandRun.of("merge", folder.resolve("run"));
    assertThat(merged.exitCode()).as(merged.err()).isZero();
    assertThat(SavedRun.read(folder.resolve("run")).rounds()).isGreaterThanOrEqualTo(rounds);
  }

  /**
   * As when an executor of Spark dies, or a connection of ssh: the worker ends, the run need not.
   */
  @Test
  void aWorkerWhoseStarterIsGoneIsLostToTheOthers() throws Exception {
    Files.writeString(folder.resolve("hosts.txt"), "one workers=1\ntwo workers=1\n");
    Path shell =
        CommandProcesses.script(
            folder.resolve("enter"),
            """
            test "$1" = one && exec sh -c "$2"
            mkfifo held
            exec 3<&0
            cat <&3 >held &
            echo $! >starter
            exec sh -c "$2" <held 3<&-
            """);
    List<String> command = new ArrayList<>(CommandProcesses.grapevine());
    command.add(1, "-Dgrapevine.home=" + processes.home());
    command.addAll(List.of("launch", SmallExperiment.write(folder, SmallExperiment.ENDLESS, DROP)));
    command.addAll(List.of("--hosts", "hosts.txt", "--rsh", shell.toString()));
    command.addAll(List.of("--address", "127.0.0.1", "--out", "run"));
    Process launcher = processes.startWith(command);
    List<Long> workers = processes.workers("run", launcher);
    CommandProcesses.kill(Long.parseLong(processes.text("starter").strip()));
    processes.await(
        () -> processes.text("run/deployment.json").contains("whoever had started it is gone"));
    CommandProcesses.awaitEnd(workers.subList(1, 2));
    launcher.destroy();
    assertThat(CommandProcesses.code(launcher)).as(processes.said()).isEqualTo(143);
    CommandProcesses.awaitEnd(workers);
  }

  @Test
  void whatCannotBeLaunchedIsToldBeforeAnythingIsStarted() throws Exception {
    CommandRun many =
        CommandRun.of(
            "launch", SmallExperiment.write(folder, 10, ""), "--workers", "7", "--out", folder);
    assertThat(many.exitCode()).isEqualTo(2);
    assertThat(many.err()).contains("there must be from 1 to 6 workers");
    CommandRun simulated =
        CommandRun.of(
            "launch",
            SmallExperiment.write(folder, 10, "[runtime]\nkind = \"simulated\""),
            "--workers",
            "2");
    assertThat(simulated.exitCode()).isEqualTo(2);
    assertThat(simulated.err()).contains("many processes need the wall clock");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --port-base | 99999 | ports go from 1 to 65535: --port-base=99999
          --port-base | -1    | ports go from 1 to 65535: --port-base=-1
          --port-base | 65534 | worker 1 would listen on port 65536
          --join-within | -3  | workers need some seconds to join
          --join-within | 0   | workers need some seconds to join
          --rsh | ssh | --rsh gets to the machines of --hosts FILE
          """)
  void anOptionThatMeansNothingIsAMistake(String option, String value, String message)
      throws Exception {
    CommandRun launch =
        CommandRun.of(
            "launch",
            SmallExperiment.write(folder, 10, ""),
            "--workers",
            "2",
            option,
            value,
            "--out",
            folder.resolve("out"));
    assertThat(launch.err()).contains(message);
    assertThat(launch.exitCode()).isEqualTo(2);
  }
}
