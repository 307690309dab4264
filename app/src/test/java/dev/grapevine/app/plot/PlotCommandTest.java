package dev.grapevine.app.plot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.app.Grapevine;
import dev.grapevine.results.RunDirectory;
import dev.grapevine.results.RunResults;
import dev.grapevine.results.SharePercentiles;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class PlotCommandTest {

  @TempDir Path dir;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(Object... arguments) {
    CommandLine command = Grapevine.commandLine();
    command.setOut(new PrintWriter(out));
    command.setErr(new PrintWriter(err));
    return command.execute(Arrays.stream(arguments).map(String::valueOf).toArray(String[]::new));
  }

  @Test
  void drawsSeveralRunsInOneFigureWithTheirDataBeside() throws IOException {
    Path a90 = SomeRuns.write(dir, "full", 90, 0.7);
    Path a91 = SomeRuns.write(dir, "full", 91, 0.7);
    Path b90 = SomeRuns.write(dir, "ring", 90, 0.6);
    Path figures = dir.resolve("figures");
    assertThat(run("plot", a90, a91, b90, "--out", figures, "--against", "rounds,bytes"))
        .as(err.toString())
        .isZero();
    BufferedImage picture = ImageIO.read(figures.resolve("accuracy-bytes.png").toFile());
    assertThat(picture.getWidth()).isEqualTo(Chart.WIDTH);
    assertThat(colors(picture)).as("lines and bands are drawn").isGreaterThan(20);
    String svg = Files.readString(figures.resolve("accuracy-rounds.svg"));
    assertThat(svg.contains("<svg") && svg.contains("<path")).isTrue();
    List<String> data = Files.readAllLines(figures.resolve("accuracy-rounds.csv"));
    assertThat(data).hasSize(21).first().asString().startsWith("run,round,rounds,mean,ci95_low");
    assertThat(data.get(1)).startsWith("\"full\",4,5.0,").endsWith(",2");
    assertThat(data.get(11)).startsWith("\"ring\",4,5.0,").endsWith(",4");
  }

  private static long colors(BufferedImage picture) {
    return IntStream.range(0, picture.getWidth() * picture.getHeight())
        .map(i -> picture.getRGB(i % picture.getWidth(), i / picture.getWidth()))
        .distinct()
        .count();
  }

  @Test
  void drawsHowOftenCoordinatesWereShared() throws IOException {
    Path counted = SomeRuns.write(dir, "counted", 90, 0.7);
    Path silent = SomeRuns.write(dir, "silent", 90, 0.7);
    SequencedMap<Integer, double[]> byNode = new TreeMap<>();
    for (int node = 0; node < 4; node++) {
      int of = node;
      byNode.put(node, IntStream.range(0, 100).mapToDouble(i -> i + of).toArray());
    }
    new RunDirectory(counted).writeShareCounts(new SharePercentiles(byNode));
    Path figures = dir.resolve("figures");
    assertThat(run("plot", counted, silent, "--out", figures)).as(err.toString()).isZero();
    assertThat(ImageIO.read(figures.resolve("share-counts.png").toFile())).isNotNull();
    assertThat(figures.resolve("share-counts.svg")).isNotEmptyFile();
    assertThat(Files.readAllLines(figures.resolve("share-counts.csv")))
        .hasSize(101)
        .startsWith("run,percentile,mean,ci95_low,ci95_high,count")
        .element(1)
        .asString()
        .startsWith("\"counted\",1.0,1.5,");
  }

  @Test
  void saysWhenShareCountsWereNotRecorded() {
    Path silent = SomeRuns.write(dir, "silent", 90, 0.7);
    assertThat(run("plot", silent, "--against", "percentiles")).isEqualTo(2);
    assertThat(err.toString()).contains("not recorded", "sharing.count-shares = true");
  }

  @Test
  void aRunDrawsItsOwnPictures() {
    RunResults run = RunResults.read(SomeRuns.write(dir, "full", 90, 0.7));
    assertThat(RunPlots.drawInto(run))
        .extracting(path -> path.getFileName().toString())
        .containsExactly("accuracy.png", "loss.png", "bytes.png");
    assertThat(run.directory().path().resolve("accuracy.csv")).exists();
  }

  @Test
  void aSingleRunHasAHeatMapOfItsNodes() {
    Path both = SomeRuns.write(dir, "both", 90, 0.7);
    assertThat(run("plot", both, "--against", "rounds")).isZero();
    assertThat(both.resolve("plots/accuracy-nodes.png")).exists();
    assertThat(both.resolve("plots/accuracy-nodes.svg")).isNotEmptyFile();
    Path run = SomeRuns.write(dir, "full", 90, 0.7);
    assertThat(run("plot", run, "--format", "png", "--against", "rounds")).isZero();
    assertThat(run.resolve("plots/accuracy-nodes.png")).exists();
    assertThat(run.resolve("plots/accuracy-rounds.svg")).doesNotExist();
  }

  @Test
  void whatCannotBeReadIsToldAndTheRestIsDrawn() throws IOException {
    Path good = SomeRuns.write(dir, "full", 90, 0.7);
    Path never = RunDirectory.create(dir.resolve("never")).path();
    new RunDirectory(never).writeExperiment("name = \"never\"\n");
    Path figures = dir.resolve("figures");
    assertThat(run("plot", good, dir.resolve("gone"), never, "--out", figures, "--format", "png"))
        .isZero();
    assertThat(err.toString())
        .contains("there is no run directory")
        .contains("has not recorded anything yet");
    assertThat(figures.resolve("accuracy-rounds.png")).exists();
  }

  @Test
  void mistakesAreToldInWords() {
    Path good = SomeRuns.write(dir, "full", 90, 0.7);
    assertThat(run("plot", dir.resolve("gone"))).isEqualTo(2);
    assertThat(run("plot", good, "--metric", "nonsense")).isEqualTo(2);
    assertThat(err.toString()).contains("no run has the metric nonsense").contains("test_loss");
  }
}
