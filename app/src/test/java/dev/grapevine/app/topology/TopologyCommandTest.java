package dev.grapevine.app.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.app.Grapevine;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

final class TopologyCommandTest {

  @TempDir Path dir;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    CommandLine command = Grapevine.commandLine();
    command.setOut(new PrintWriter(out));
    command.setErr(new PrintWriter(err));
    return command.execute(arguments);
  }

  @Test
  void printsTheFactsAndWritesTheEdges() throws IOException {
    Path edges = dir.resolve("graph.edges");
    int code =
        run("topology", "regular", "--nodes", "96", "--degree", "4", "--out", edges.toString());
    assertThat(code).as(err.toString()).isZero();
    assertThat(out.toString())
        .containsPattern("edges +192")
        .containsPattern("degree +4\\R")
        .containsPattern("connected +yes")
        .containsPattern("diameter +\\d")
        .containsPattern("spectral gap +0\\.\\d+")
        .containsPattern("doubly stochastic +yes");
    assertThat(Files.readAllLines(edges)).hasSize(193).first().isEqualTo("96");
  }

  @Test
  void drawsBothKindsOfPicture() throws IOException {
    Path svg = dir.resolve("graph.svg");
    Path png = dir.resolve("graph.png");
    assertThat(run("topology", "torus", "--nodes", "24", "--draw", svg.toString())).isZero();
    assertThat(Files.readString(svg)).contains("<svg").contains(">23</text>").contains("<line");
    assertThat(run("topology", "directed-exponential", "--nodes", "9", "--draw", png.toString()))
        .isZero();
    assertThat(ImageIO.read(png.toFile()).getWidth()).isEqualTo(1800);
  }

  @Test
  void namesThoseWhosePairsOfNeighboursCouldSolveForThem() {
    assertThat(run("topology", "ring", "--nodes", "6", "--exposure", "2")).isZero();
    assertThat(out.toString())
        .containsPattern("exposed to one +nobody")
        .containsPattern("exposed to 2 together +6 nodes: node 0 to \\d and \\d, .*, \\.\\.\\.");
    assertThat(run("topology", "fully-connected", "--nodes", "6", "--exposure", "2")).isZero();
    assertThat(out.toString()).containsPattern("exposed to 2 together +nobody");
  }

  @Test
  void listsTheKindsWhenNoneIsGiven() {
    assertThat(run("topology")).isZero();
    assertThat(out.toString()).contains("erdos-renyi").contains("one-peer-exponential");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "regular --nodes 16 --degree 16 | degree must be below the number of nodes",
        "regular --nodes 16 --degre 4 | did you mean \"degree\"",
        "reglar --nodes 16 | did you mean \"regular\"",
        "ring | --nodes N",
        "ring --nodes 0 | at least 1",
        "ring --nodes 4 --draw x.jpg | .svg or .png",
        "ring --nodes 4 5 | not an option",
        "ring --nodes 4 --weights | lacks its value",
        "file --nodes 4 --path nowhere.txt | there is no graph file",
        "ring --nodes 4 --weights metropolis | metropolis-hastings",
        "ring --nodes 4 --exposure 0 | at least 1",
        "ring --nodes 4 --exposure 4 | below the number of nodes",
        "ring --nodes 4000 --exposure 3 | too many to look at",
      })
  void mistakesAreToldInWords(String line) {
    String[] parts = line.split(" \\| ");
    assertThat(run(("topology " + parts[0]).split(" "))).isEqualTo(2);
    assertThat(err.toString()).contains(parts[1]).doesNotContain("\tat ");
  }
}
