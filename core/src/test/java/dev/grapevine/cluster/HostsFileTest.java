package dev.grapevine.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.grapevine.UserException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostsFileTest {

  private static HostsFile parse(String... lines) {
    return HostsFile.parse(String.join("\n", lines), "hosts.txt");
  }

  @Test
  void namesMachinesAndWhatTheyGet() {
    HostsFile file =
        parse(
            "\uFEFF# two machines",
            "",
            "node-1   slots=2   # as MPI says it",
            "me@10.0.0.2 workers=1 address=fd00::2 port=7100",
            "node-3");

    assertThat(file.workers()).isEqualTo(4);
    assertThat(file.text())
        .isEqualTo(
            """
            node-1 workers=2
            me@10.0.0.2 workers=1 address=fd00::2 port=7100
            node-3 workers=1
            """);
    assertThat(file.slots().stream().map(slot -> slot.rank() + " " + slot.host().name()))
        .containsExactly("0 node-1", "1 node-1", "2 me@10.0.0.2", "3 node-3");
    assertThat(file.nodesOfWorkers()).isEmpty();
    assertThat(HostsFile.parse(file.text(), "x").text()).isEqualTo(file.text());
  }

  @Test
  void workersOfAMachineShareItsNodesAndPorts() {
    HostsFile file = parse("a workers=2 nodes=0-4 port=7000", "b workers=2 nodes=9,5-6");

    List<int[]> nodes = file.nodesOfWorkers().orElseThrow();
    assertThat(nodes.toArray(int[][]::new))
        .isDeepEqualTo(new int[][] {{0, 1}, {2, 3, 4}, {5}, {6, 9}});
    assertThat(file.slots().get(1).port()).hasValue(7001);
    assertThat(file.slots().get(2).port()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a workers=0 | hosts.txt:2: workers must be a whole number from 1 to 4096: workers=0",
        "a workers=x | hosts.txt:2: workers must be a whole number from 1 to 4096: workers=x",
        "a port=70000 | hosts.txt:2: port must be a whole number from 1 to 65535: port=70000",
        "a port=65535 workers=2 | hosts.txt:2: there are not that many ports: port=65535",
        "a nodes=3-1 | hosts.txt:2: the range 3-1 runs backwards; write 1-3",
        "a nodes=all | hosts.txt:2: say which nodes, such as nodes=0-63",
        "a nodes=0 workers=2 | hosts.txt:2: 2 workers need at least as many nodes: nodes=0",
        "a 4 | hosts.txt:2: \"4\" is not of the form key=value; keys are workers, nodes, address, port",
        "a cores=4 | hosts.txt:2: unknown key \"cores\"; keys are workers, nodes, address, port",
        "a slots=1 workers=2 | hosts.txt:2: workers is given twice",
        "-oProxyCommand=x | hosts.txt:2: \"-oProxyCommand=x\" is no name of a host",
        "workers=4 | hosts.txt:2: \"workers=4\" is no name of a host",
        "a address=b@c | hosts.txt:2: \"b@c\" is no address"
      })
  void saysWhatIsWrongAndWhere(String line, String sentence) {
    assertThatThrownBy(() -> parse("# hosts", line))
        .isInstanceOf(UserException.class)
        .hasMessage(sentence);
  }

  @Test
  void nodesAreForAllOrForNone() {
    assertThatThrownBy(() -> parse("a", "b nodes=0-3"))
        .hasMessage(
            "hosts.txt:2: b has nodes=, a (line 1) has not; give nodes to all hosts or to none");
    assertThatThrownBy(() -> parse("a nodes=0-3", "b nodes=3-4"))
        .hasMessage(
            "hosts.txt:2: b has nodes that a (line 1) has already; give each node to one host");
    assertThatThrownBy(() -> parse("# nobody"))
        .hasMessage("hosts.txt names no host; write one a line, such as: node-1 workers=4");
  }

  @Test
  void aMissingFileIsTheUsersMistake(@TempDir Path folder) {
    assertThatThrownBy(() -> HostsFile.read(folder.resolve("none")))
        .isInstanceOf(UserException.class)
        .hasMessageContaining("there is no such file");
  }
}
