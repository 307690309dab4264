package dev.grapevine.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.grapevine.UserException;
import dev.grapevine.settings.SettingException;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class GraphFileTest {

  @TempDir Path dir;

  private Path file(String text) throws IOException {
    return Files.writeString(dir.resolve("graph.txt"), text);
  }

  @Test
  void readsEdgesOfDecentralizePy() throws IOException {
    Graph graph = GraphFile.read(file("4\n0 1\n1 0\n1 2\r\n\n2 3"), GraphFile.Format.EDGES, false);
    assertThat(graph.nodes()).isEqualTo(4);
    assertThat(graph.edges()).isEqualTo(3);
    assertThat(graph.targets(1)).containsExactly(0, 2);
  }

  @Test
  void readsAdjacencyWithItsEmptyLines() throws IOException {
    Graph graph = GraphFile.read(file("4\n1 2\n0\n\n0 1\n\n"), GraphFile.Format.ADJACENCY, false);
    assertThat(graph.targets(0)).containsExactly(1, 2, 3);
    assertThat(graph.targets(2)).containsExactly(0);
  }

  @Test
  void directedEdgesRunOneWay() throws IOException {
    Graph graph = GraphFile.read(file("3\n0 1\n0 2\n"), GraphFile.Format.EDGES, true);
    assertThat(graph.targets(0)).containsExactly(1, 2);
    assertThat(graph.sources(0)).isEmpty();
  }

  @Test
  void whatIsWrittenIsReadBack() throws IOException {
    Graph graph = RandomRegular.draw(30, 4, RandomGraph.random(1, 0));
    StringWriter text = new StringWriter();
    GraphFile.write(graph, text);
    Graph again = GraphFile.read(file(text.toString()), GraphFile.Format.EDGES, false);
    for (int node = 0; node < 30; node++) {
      assertThat(again.targets(node)).isEqualTo(graph.targets(node));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          3\\n0 1\\n1 x        | EDGES     | graph.txt:3: a node number must be a whole number from 0 to 2: found 'x'
          3\\n0 1\\n1 3        | EDGES     | graph.txt:3: a node number must be a whole number from 0 to 2: found '3'
          3\\n0 1\\n1 2 0      | EDGES     | set format = "adjacency"
          3\\n0 1\\n\\n2 2     | EDGES     | graph.txt:4: node 2 cannot be its own neighbour
          0 1\\n1 2            | EDGES     | graph.txt:1: the first line must be the number of nodes alone
          -3\\n0 1             | EDGES     | graph.txt:1: the number of nodes must be a whole number at least 1: found '-3'
          # only a comment\\n  | EDGES     | is empty
          2\\n1\\n0\\n1        | ADJACENCY | graph.txt:4: there are more lines than nodes: nodes=2
          """)
  void malformedLinesAreNamed(String text, GraphFile.Format format, String message)
      throws IOException {
    Path file = file(text.replace("\\n", "\n"));
    assertThatThrownBy(() -> GraphFile.read(file, format, false))
        .isInstanceOf(UserException.class)
        .hasMessageContaining(message);
  }

  @Test
  void aMissingOrForeignFileIsTheUsersMistake() throws IOException {
    assertThatThrownBy(() -> GraphFile.read(dir.resolve("nothing"), GraphFile.Format.EDGES, false))
        .isInstanceOf(UserException.class)
        .hasMessageContaining("there is no graph file");
    Path binary = Files.write(dir.resolve("binary"), new byte[] {(byte) 0xff, (byte) 0xfe, 0});
    assertThatThrownBy(() -> GraphFile.read(binary, GraphFile.Format.EDGES, false))
        .isInstanceOf(UserException.class);
    assertThatThrownBy(() -> GraphFile.read(dir, GraphFile.Format.EDGES, false))
        .isInstanceOf(UserException.class);
  }

  @Test
  void theNumberOfNodesMustBeTheExperiments() throws IOException {
    Path file = file("3\n0 1\n1 2\n");
    var settings =
        new FileTopology.Settings(
            Path.of(file.getFileName().toString()),
            GraphFile.Format.EDGES,
            false,
            Weights.METROPOLIS);
    assertThat(FileTopology.create(settings, new TopologyContext(3, 0, dir)).nodes()).isEqualTo(3);
    assertThatThrownBy(() -> FileTopology.create(settings, new TopologyContext(4, 0, dir)))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining("file=3, nodes=4");
  }
}
