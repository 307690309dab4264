package dev.grapevine.app.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.grapevine.results.SavedRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three machines whose clocks differ, as far as their processes can tell: each has a namespace of
 * its own for time. Skipped where this user may not make any.
 */
final class ClocksProcessTest {

  private static final int ROUNDS = 60;

  /** Far more than clocks are wrong by once they are set, far less than they differ. */
  private static final double TOLERANCE = 1;

  @TempDir private Path folder;

  private CommandProcesses processes;

  @BeforeEach
  void requireNamespaces() throws Exception {
    processes = new CommandProcesses(folder);
    assumeTrue(mayMoveClocks(), "this user may not make namespaces for time");
  }

  @AfterEach
  void leaveNobody() {
    processes.close();
  }

  private static boolean mayMoveClocks() throws InterruptedException {
    try {
      return new ProcessBuilder("unshare", "--time", "--monotonic", "5", "--fork", "true")
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException noSuchCommand) {
      return false;
    }
  }

  private Process launch() throws Exception {
    Path hosts = folder.resolve("hosts.txt");
    Files.writeString(hosts, "ahead workers=1\nmiddle workers=1\nbehind workers=1\n");
    Path shell =
        CommandProcesses.script(
            folder.resolve("enter"),
            """
            case $1 in ahead) by=5 ;; behind) by=-5 ;; *) by=0 ;; esac
            exec unshare --time --monotonic $by --boottime $by --fork --kill-child sh -c "$2"
            """);
    List<String> command = new ArrayList<>(CommandProcesses.grapevine());
    command.add(1, "-Dgrapevine.home=" + processes.home());
    command.addAll(List.of("launch", SmallExperiment.write(folder, ROUNDS, "")));
    command.addAll(List.of("--hosts", hosts.toString(), "--rsh", shell.toString()));
    command.addAll(
        List.of("--address", "127.0.0.1", "--out", "run", "--set", "evaluation.every=1"));
    return processes.startWith(command);
  }

  /** When each node has ended each round. */
  private double[][] ends() throws IOException {
    double[][] ends = new double[6][ROUNDS];
    for (String line : Files.readAllLines(folder.resolve("run/metrics.csv"))) {
      String[] words = line.split(",");
      if (words[2].equals("test_accuracy") && !words[1].startsWith("-")) {
        ends[Integer.parseInt(words[0])][Integer.parseInt(words[1])] = Double.parseDouble(words[4]);
      }
    }
    return ends;
  }

  /** Nobody ends a round before its neighbours have ended the one before, on whatever machine. */
  @Test
  void timesAreOnOneClock() throws Exception {
    Process launcher = launch();
    assertThat(CommandProcesses.code(launcher)).as(processes.said()).isZero();
    double[][] ends = ends();
    for (int round = 1; round < ROUNDS; round++) {
      for (int node = 0; node < 6; node++) {
        for (int neighbour : new int[] {(node + 1) % 6, (node + 5) % 6}) {
          assertThat(ends[node][round])
              .as("round %d of node %d, after node %d", round, node, neighbour)
              .isGreaterThan(ends[neighbour][round - 1] - TOLERANCE);
        }
      }
    }
    assertThat(ends[0][0]).isPositive();
    double all =
        SavedRun.read(folder.resolve("run")).summary().orElseThrow().get("wall_seconds").asDouble();
    for (double[] each : ends) {
      assertThat(each[ROUNDS - 1]).isBetween(0.0, all + TOLERANCE);
    }
  }
}
