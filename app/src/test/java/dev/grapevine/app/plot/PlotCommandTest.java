package dev.grapevine.app.plot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.app.Grapevine;
import dev.grapevine.app.drawing.PictureFormat;
import dev.grapevine.results.Axis;
import dev.grapevine.results.Curve;
import dev.grapevine.results.MetricsWriter;
import dev.grapevine.results.RunDirectory;
import dev.grapevine.results.SavedRun;
import dev.grapevine.results.SharePercentiles;
import dev.grapevine.results.Spread;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.text.PDFTextStripper;
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
    assertThat(svg.contains("<svg") && svg.contains("<polyline")).isTrue();
    List<String> data = Files.readAllLines(figures.resolve("accuracy-rounds.csv"));
    assertThat(data).hasSize(21).first().asString().startsWith("run,round,rounds,mean,ci95_low");
    assertThat(data.get(1)).startsWith("\"full\",4,5.0,").endsWith(",2");
    assertThat(data.get(11)).startsWith("\"ring\",4,5.0,").endsWith(",4");
  }

  @Test
  void aFolderThatCannotBeMadeIsToldWithoutAnExceptionsName() throws IOException {
    Path run = SomeRuns.write(dir, "full", 90, 0.7);
    Path file = Files.writeString(dir.resolve("file"), "");
    List<List<Object>> commands =
        List.of(
            List.of("plot", run, "--out", file.resolve("figures")),
            List.of("report", run, "--out", file.resolve("report.html")),
            List.of("export", run, "--format", "csv", "--out", file.resolve("all.csv")),
            List.of("topology", "ring", "--nodes", "4", "--out", file.resolve("ring.edges")),
            List.of("topology", "ring", "--nodes", "4", "--draw", file.resolve("ring.svg")));
    for (List<Object> command : commands) {
      err.getBuffer().setLength(0);
      assertThat(run(command.toArray())).as(command + ": " + err).isEqualTo(2);
      assertThat(err.toString())
          .as(command.toString())
          .contains(file.toString())
          .doesNotContain("Exception")
          .hasLineCount(1);
    }
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
    SavedRun run = SavedRun.read(SomeRuns.write(dir, "full", 90, 0.7));
    assertThat(RunPlots.drawInto(run))
        .extracting(path -> path.getFileName().toString())
        .containsExactly("accuracy.png", "loss.png", "bytes.png");
    assertThat(run.directory().path().resolve("accuracy.csv")).exists();
  }

  /** As examples/random-walk.toml does: the wait has a picture of its own, in seconds. */
  @Test
  void aRunWhoseNodesPaceThemselvesDrawsTheirWait() throws IOException {
    Path path = SomeRuns.write(dir, "walks", 90, 0.7);
    try (MetricsWriter metrics = new RunDirectory(path).metrics()) {
      for (int round = 0; round < 50; round++) {
        metrics.record(0, round, "pace_wait", 0.3, Duration.ofSeconds(2L * round));
      }
    }
    assertThat(RunPlots.drawInto(SavedRun.read(path))).contains(path.resolve("wait.png"));
    assertThat(run("plot", path, "--metric", "pace_wait", "--against", "rounds")).isZero();
    assertThat(Files.readString(path.resolve("plots/pace-wait-rounds.svg")))
        .contains("Wait for others (ms)");
  }

  @Test
  void moreBandsThanCanBeToldApartAreLeftOutUnlessAskedFor() {
    Spread spread = Spread.of(new double[] {0.5, 0.6});
    List<Curve> nine =
        IntStream.range(0, 9)
            .mapToObj(i -> new Curve("" + i, "test_accuracy", Axis.ROUNDS, points(spread)))
            .toList();
    assertThat(Figure.of("eight", "", nine.subList(0, 8)).hasBands()).isTrue();
    assertThat(Figure.of("nine", "", nine).hasBands()).isFalse();
    Path run = SomeRuns.write(dir, "full", 90, 0.7);
    Path asked = dir.resolve("asked.toml");
    assertThat(run("plot", run, "--bands", "--save", asked)).as(err.toString()).isZero();
    assertThat(asked).content().contains("bands = true");
    assertThat(run("plot", run, "--no-bands", "--save", asked)).isZero();
    assertThat(asked).content().contains("bands = false");
  }

  private static List<Curve.Point> points(Spread spread) {
    return List.of(new Curve.Point(0, 1, spread), new Curve.Point(1, 2, spread));
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

  private List<Path> sixteen() {
    return IntStream.range(0, 16)
        .mapToObj(i ->
            SomeRuns.write(dir.resolve("sweep"), "a long name of run " + i, 90, 0.7 - 0.01 * i))
        .toList();
  }

  @Test
  void sixteenCurvesHaveDistinctStylesAndWholeLabelsOutsideTheAxes() throws IOException {
    sixteen();
    Path figures = dir.resolve("figures");
    assertThat(
            run(
                "plot",
                dir.resolve("sweep"),
                "--out",
                figures,
                "--format",
                "svg,png",
                "--metric",
                "test_accuracy",
                "--against",
                "rounds"))
        .as(err.toString())
        .isZero();
    String svg = Files.readString(figures.resolve("test-accuracy-rounds.svg"));
    for (int i = 0; i < 16; i++) {
      assertThat(svg).contains(">a long name of run " + i + "</text>");
    }
    BufferedImage picture = ImageIO.read(figures.resolve("test-accuracy-rounds.png").toFile());
    assertThat(picture.getHeight()).as("the sheet grew by the legend").isGreaterThan(Chart.HEIGHT);
    assertThat(IntStream.range(0, 32).mapToObj(i -> CurveStyle.of(i, List.of())))
        .doesNotHaveDuplicates();
  }

  @Test
  void aFigureIsMadeAgainFromItsFile() throws IOException {
    Path a = SomeRuns.write(dir, "full", 90, 0.7);
    Path b = SomeRuns.write(dir, "ring", 90, 0.6);
    Path figures = dir.resolve("figures");
    Path file = dir.resolve("figure.toml");
    assertThat(
            run(
                "plot",
                a,
                b,
                "--out",
                figures,
                "--metric",
                "test_accuracy",
                "--against",
                "bytes",
                "--format",
                "pdf,svg",
                "--labels",
                "Ring,All",
                "--order",
                "2,1",
                "--colors",
                "#112233",
                "--title",
                "Own title",
                "--size",
                "120x80",
                "--log",
                "x",
                "--ylim",
                "0,100",
                "--name",
                "mine",
                "--save",
                file))
        .as(err.toString())
        .isZero();
    String svg = Files.readString(figures.resolve("mine.svg"));
    assertThat(svg)
        .contains("width=\"120.0mm\" height=\"80.0mm\"", ">Own title<", "#112233")
        .containsSubsequence(">Ring<", ">All<");
    byte[] pdf = Files.readAllBytes(figures.resolve("mine.pdf"));
    assertThat(Loader.loadPDF(pdf).getNumberOfPages()).isOne();
    assertThat(new PDFTextStripper().getText(Loader.loadPDF(pdf)))
        .contains("Own title", "Ring", "Sent per node");
    Files.delete(figures.resolve("mine.svg"));
    assertThat(run("plot", file)).as(err.toString()).isZero();
    assertThat(Files.readString(figures.resolve("mine.svg"))).isEqualTo(svg);
    assertThat(Files.readAllBytes(figures.resolve("mine.pdf"))).isEqualTo(pdf);
  }

  @Test
  void smallMultiplesShareTheirAxes() throws IOException {
    Path a = SomeRuns.write(dir, "full", 90, 0.7);
    Path b = SomeRuns.write(dir, "ring", 90, 0.6);
    Path figures = dir.resolve("figures");
    assertThat(
            run(
                "plot",
                a,
                b,
                "--out",
                figures,
                "--metric",
                "test_accuracy",
                "--against",
                "rounds",
                "--panels",
                "training.rate",
                "--format",
                "svg"))
        .as(err.toString())
        .isZero();
    assertThat(Files.readString(figures.resolve("test-accuracy-rounds.svg")))
        .contains("training.rate = 0.7", "training.rate = 0.6");
    assertThat(Files.readString(figures.resolve("test-accuracy-rounds.csv")))
        .startsWith("panel,run,round");
  }

  @Test
  void bandsStayBetween0And100Percent() {
    Spread wide = Spread.of(0.0, 1.0, 0.99);
    Curve curve =
        new Curve("c", "test_accuracy", Axis.ROUNDS, List.of(new Curve.Point(0, 1, wide)));
    Figure figure = Figure.of("f", "", List.of(curve));
    assertThat(DrawnCurve.of(curve, figure).spots().getFirst())
        .satisfies(spot -> {
          assertThat(spot.low()).isZero();
          assertThat(spot.high()).isEqualTo(100);
        });
  }

  @Test
  void divergedCurvesAreDrawnAsFarAsTheyAreFinite() {
    for (double huge : new double[] {1e18, 1e299, 1e308, Double.POSITIVE_INFINITY, Double.NaN}) {
      List<Curve.Point> points =
          IntStream.range(0, 5)
              .mapToObj(i -> new Curve.Point(i, i + 1, Spread.of(i < 3 ? i : huge * i)))
              .toList();
      Figure figure = Figure.of("f", "", List.of(new Curve("c", "test_loss", Axis.ROUNDS, points)));
      assertThat(Chart.draw(figure, PictureFormat.SVG)).isNotEmpty();
      assertThat(new String(Chart.draw(figure, PictureFormat.SVG), StandardCharsets.UTF_8))
          .doesNotContain("NaN", "Infinity");
    }
  }

  @Test
  void wrongFiguresAreToldInWords() throws IOException {
    Path a = SomeRuns.write(dir, "full", 90, 0.7);
    Path file = dir.resolve("figure.toml");
    Files.writeString(file, "[figure]\nruns = [\"full-90\"]\ncolour = [\"red\"]\n");
    assertThat(run("plot", file)).isEqualTo(2);
    assertThat(err.toString()).contains("figure.toml:3:1", "did you mean \"colors\"");
    for (List<Object> wrong :
        List.<List<Object>>of(
            List.of("--colors", "red"),
            List.of("--size", "84"),
            List.of("--size", "1x1"),
            List.of("--xlim", "5,1"),
            List.of("--log", "z"),
            List.of("--log", "y", "--ylim", "0,1"),
            List.of("--labels", "a,b,c"),
            List.of("--order", "7"),
            List.of("--panels", "training.rats"),
            List.of("--name", "several"))) {
      List<Object> arguments = new ArrayList<>(List.of("plot", a));
      arguments.addAll(wrong);
      assertThat(run(arguments.toArray())).as(wrong.toString()).isEqualTo(2);
    }
    assertThat(err.toString()).doesNotContain("\tat ");
  }

  @Test
  void mistakesAreToldInWords() {
    Path good = SomeRuns.write(dir, "full", 90, 0.7);
    assertThat(run("plot", dir.resolve("gone"))).isEqualTo(2);
    assertThat(run("plot", good, "--metric", "nonsense")).isEqualTo(2);
    assertThat(err.toString()).contains("no run has the metric nonsense").contains("test_loss");
  }
}
