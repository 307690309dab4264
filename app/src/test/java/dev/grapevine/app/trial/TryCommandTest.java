package dev.grapevine.app.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.app.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TryCommandTest {

  private static final Path EXAMPLES =
      Path.of(System.getProperty("user.dir")).getParent().resolve("examples");

  @TempDir private Path folder;

  @Test
  void theExampleOfASharingSchemeKeepsItsPromises() {
    CommandRun run = CommandRun.of("try", EXAMPLES.resolve("own-sharing/MySharing.java"));

    assertThat(run.exitCode()).as(run.out() + run.err()).isZero();
    assertThat(run.out())
        .contains("MySharing.java is a sharing scheme")
        .contains("kept    the mean of all models stays as it was")
        .contains("kept    refuses malformed payloads")
        .containsPattern("bytes: sends .* % of d-psgd")
        .contains("verdict   keeps all");
  }

  @Test
  void aSchemeThatTrustsWhatItHearsBreaksAPromise() throws IOException {
    String careless =
        Files.readString(EXAMPLES.resolve("own-sharing/MySharing.java"))
            .replace(
                "RawFloats.read(in, values, values.length);",
                "for (int i = 0; i < values.length; i++) values[i] = in.getFloat();")
            .replace("MySharing", "Careless");
    Path file = Files.writeString(folder.resolve("Careless.java"), careless);

    CommandRun run = CommandRun.of("try", file);

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out())
        .containsPattern("broken  refuses malformed payloads .*Careless.java:\\d+: ")
        .contains("verdict   breaks");
  }

  @Test
  void aTopologyWhosePeersDisagreeBreaksAPromise() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("Oneway.java"),
            """
            import dev.grapevine.topology.Neighbourhood;
            import dev.grapevine.topology.Topology;
            import dev.grapevine.topology.TopologyContext;

            public final class Oneway implements Topology {
              private final int nodes;

              public Oneway(TopologyContext context) {
                nodes = context.nodes();
              }

              @Override
              public int nodes() {
                return nodes;
              }

              @Override
              public Neighbourhood neighbours(int node, int round) {
                int[] next = {(node + 1) % nodes};
                return new Neighbourhood(node, next, next, new double[] {0.5}, 0.4);
              }
            }
            """);

    CommandRun run = CommandRun.of("try", file);

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out())
        .contains("broken  who sends to a node is whom the node hears from")
        .contains("broken  own weight and those of the peers add up to 1")
        .contains("verdict   breaks 2 of 5 promises");
  }

  @Test
  void dataModelsAndTopologiesAreKnownByTheirClass() {
    assertThat(CommandRun.of("try", EXAMPLES.resolve("own-parts/MyData.java")).out())
        .contains("is a data set", "keeps all");
    assertThat(CommandRun.of("try", EXAMPLES.resolve("own-parts/MyTopology.java")).out())
        .contains("is a topology", "keeps all");
  }
}
