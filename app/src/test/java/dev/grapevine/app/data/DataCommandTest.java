package dev.grapevine.app.data;

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
import picocli.CommandLine;

class DataCommandTest {

  @TempDir Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void listsSetsWithTermsAndWhetherTheyAreHere() {
    assertThat(run("list")).isZero();
    assertThat(out.toString())
        .contains("cifar10", "not here (grapevine data get)", "MIT", "in the jar")
        .contains("Data is kept in " + folder);
  }

  @Test
  void showsATableAndPictures() throws IOException {
    assertThat(
            run(
                "show",
                "digits",
                "--nodes",
                "12",
                "--partition",
                "shards",
                "--shards-per-node=3",
                "--pictures",
                folder.toString()))
        .as(err.toString())
        .isZero();
    assertThat(out.toString())
        .contains("1,437 training and 360 test samples")
        .contains("samples per node: 119 to 120, mean 119.8, total 1,437");
    assertThat(ImageIO.read(folder.resolve("digits-shards-12.png").toFile()).getWidth())
        .isGreaterThan(400);
    assertThat(folder.resolve("digits-samples.png")).isNotEmptyFile();
  }

  @Test
  void anExportedDealCanBeReadBack() {
    Path file = folder.resolve("deal.json");
    assertThat(
            run(
                "show",
                "digits",
                "--nodes",
                "5",
                "--partition",
                "dirichlet",
                "--alpha",
                "0.2",
                "--pictures",
                folder.toString(),
                "--export",
                file.toString()))
        .isZero();
    String table =
        out.toString().lines().filter(line -> line.startsWith("samples per")).toList().getFirst();
    out.getBuffer().setLength(0);
    assertThat(
            run(
                "show",
                "digits",
                "--nodes",
                "5",
                "--partition",
                "file",
                "--partition-file",
                file.toString(),
                "--pictures",
                folder.toString()))
        .as(err.toString())
        .isZero();
    assertThat(out.toString()).contains(table);
  }

  @Test
  void aMistakeIsOneClearMessageAndNothingIsWritten() throws IOException {
    assertMistake(
        "did you mean \"shards-per-node\"",
        "show",
        "digits",
        "--partition",
        "shards",
        "--shards-per-nod",
        "2");
    assertMistake("did you mean \"cifar10\"", "show", "cifar1");
    assertMistake("nodes=9999, samples=1437", "show", "digits", "--nodes", "9999");
    assertMistake("alpha=0", "show", "digits", "--partition", "dirichlet", "--alpha", "0");
    assertMistake(
        "add up to 1", "show", "digits", "--partition", "fractions", "--fractions", "[0.5]");
    assertMistake("grapevine data get cifar10", "show", "cifar10");
    assertMistake("cannot be fetched", "get", "femnist");
    assertMistake("digits cannot be fetched again", "get", "digits", "--again");
    assertMistake("unexpected argument: here", "show", "digits", "here");
    assertMistake("Say what to do");
    try (var files = Files.list(folder)) {
      assertThat(files).isEmpty();
    }
  }

  @Test
  void getChecksWhatIsHere() {
    assertThat(run("get", "fashion-mnist-mini")).isZero();
    assertThat(out.toString()).contains("2,000 training and 500 test samples, checked");
  }

  @Test
  void theProgressBarFillsUp() {
    assertThat(ProgressBar.line("step", 5, 10, 500))
        .contains("[###############     ", "50 %", "5 of 10");
    assertThat(ProgressBar.line("step", 50_000_000, 100_000_000, 500)).contains("50 of 100 MB");
    StringWriter text = new StringWriter();
    try (ProgressBar bar = new ProgressBar(new PrintWriter(text), true)) {
      bar.update("a", 1, 2);
      bar.update("b", 1, -1);
    }
    assertThat(text.toString()).startsWith("\ra ").contains("\rb ...");
  }

  private void assertMistake(String message, String... arguments) {
    err.getBuffer().setLength(0);
    assertThat(run(arguments)).as(String.join(" ", arguments)).isEqualTo(2);
    assertThat(err.toString()).contains(message).doesNotContain("\tat ");
  }

  private int run(String... arguments) {
    CommandLine line = Grapevine.commandLine();
    line.setOut(new PrintWriter(out, true));
    line.setErr(new PrintWriter(err, true));
    String[] all = new String[arguments.length + (arguments.length == 0 ? 1 : 3)];
    all[0] = "data";
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    if (arguments.length > 0) {
      all[arguments.length + 1] = "--data-dir";
      all[arguments.length + 2] = folder.toString();
    }
    return line.execute(all);
  }
}
