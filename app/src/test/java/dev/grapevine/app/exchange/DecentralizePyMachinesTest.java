package dev.grapevine.app.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.app.CommandRun;
import dev.grapevine.cluster.HostsFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DecentralizePyMachinesTest {

  @TempDir private Path folder;

  private CommandRun run(String json, String processes) throws Exception {
    Path file = Files.writeString(folder.resolve("ip.json"), json);
    return CommandRun.of(
        "import", file, "--procs-per-machine", processes, "--out", folder.resolve("hosts.txt"));
  }

  @Test
  void machinesBecomeAHostsFile() throws Exception {
    CommandRun run = run("{\"1\": \"10.0.0.2\", \"0\": \"10.0.0.1\"}", "4");

    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains("hosts.txt", "--hosts");
    assertThat(HostsFile.read(folder.resolve("hosts.txt")).text())
        .isEqualTo("10.0.0.1 workers=4 nodes=0-3\n10.0.0.2 workers=4 nodes=4-7\n");
  }

  @Test
  void machinesMayDifferInProcesses() throws Exception {
    run("{\"0\": \"a\", \"1\": \"b\"}", "1,3");

    assertThat(Files.readString(folder.resolve("hosts.txt")))
        .endsWith("a workers=1 nodes=0\nb workers=3 nodes=1-3\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[] | 4 | is no list of machines",
        "{ | 4 | is no JSON",
        "{\"x\": \"a\"} | 4 | \"x\" is not the number of a machine with its address",
        "{\"0\": 5} | 4 | \"0\" is not the number of a machine with its address",
        "{\"0\": \"a\", \"2\": \"b\"} | 4 | must be numbered from 0 without gaps",
        "{\"0\": \"a\"} | 1,2 | has 1 machines, --procs-per-machine has 2 numbers",
        "{\"0\": \"a\"} | 0 | must be positive",
        "{\"0\": \"-oX\"} | 1 | is no name of a host"
      })
  void mistakesAreOneSentence(String json, String processes, String sentence) throws Exception {
    CommandRun run = run(json, processes);

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains(sentence);
    assertThat(run.err().strip()).hasLineCount(1);
  }

  @Test
  void processesHaveToBeSaid() throws Exception {
    Path file = Files.writeString(folder.resolve("ip.json"), "{\"0\": \"a\"}");

    assertThat(CommandRun.of("import", file).err()).contains("--procs-per-machine");
  }
}
