package dev.grapevine.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.app.Grapevine;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class RunCommandTest {

  @TempDir private Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private Path file;

  @BeforeEach
  void writeExperiment() throws Exception {
    file =
        Files.writeString(
            folder.resolve("small.toml"),
            """
            name = "small"
            rounds = 4
            [nodes]
            count = 4
            [topology]
            kind = "ring"
            [data]
            set = "blobs"
            [model]
            kind = "logistic"
            [evaluation]
            every = 2
            """);
  }

  private int run(String... options) {
    List<String> arguments = new ArrayList<>(List.of("run", file.toString()));
    arguments.addAll(List.of(options));
    CommandLine commandLine = Grapevine.commandLine();
    commandLine.setOut(new PrintWriter(out, true));
    commandLine.setErr(new PrintWriter(err, true));
    return commandLine.execute(arguments.toArray(String[]::new));
  }

  @Test
  void endsWithASummaryAndPictures() {
    Path results = folder.resolve("results");

    assertThat(run("--out", results.toString())).isZero();
    assertThat(out.toString())
        .contains("outcome       done", "accuracy", "mean ± std over 4 nodes", "sent", "replay")
        .contains(results.toString());
    assertThat(results.resolve("accuracy.png")).isNotEmptyFile();
    assertThat(results.resolve("summary.json")).isNotEmptyFile();
  }

  @Test
  void setsKeysAnew() throws Exception {
    Path results = folder.resolve("results");

    assertThat(run("--out", results.toString(), "--set", "rounds=2", "--set", "seed=7")).isZero();
    assertThat(Files.readString(results.resolve("experiment.toml")))
        .contains("rounds = 2", "seed = 7");
  }

  @Test
  void aMistakeInTheFileIsToldInOneMessage() throws Exception {
    Files.writeString(file, "name = \"x\"\n[nodes]\ncuont = 3\n");

    assertThat(run("--out", folder.resolve("results").toString())).isEqualTo(2);
    assertThat(err.toString()).contains("small.toml:3:1", "count").doesNotContain("\tat ");
    assertThat(folder.resolve("results")).doesNotExist();
  }

  @Test
  void aFailedNodeFailsTheRunAndIsNamed() {
    int code =
        run(
            "--out",
            folder.resolve("results").toString(),
            "--set",
            "faults.inject=[{fault = \"throws\", node = 2, from-round = 1}]");

    assertThat(code).isEqualTo(1);
    assertThat(out.toString()).contains("outcome       failed", "node 2 failed in round");
  }

  /** This one used to draw for ever. */
  @Test
  @Timeout(60)
  void aRunThatDivergesIsSaidAndDrawn() {
    Path results = folder.resolve("results");

    assertThat(run("--out", results.toString(), "--set", "training.rate=1e18")).isZero();
    assertThat(out.toString()).contains("outcome       done, diverged in round");
    assertThat(results.resolve("loss.png")).isNotEmptyFile();

    String other = folder.resolve("stopped").toString();
    assertThat(run("--out", other, "--set", "training.rate=1e18", "--set", "stop.diverged=true"))
        .isZero();
    assertThat(out.toString()).contains("outcome       stopped: diverged: ");
  }

  @Test
  void whatWouldBePassedOverIsToldOrRefused() {
    String results = folder.resolve("results").toString();

    assertThat(run("--out", results, "--set", "sweep.seeds=[1, 2]")).isEqualTo(2);
    assertThat(err.toString()).contains("grapevine sweep");
    assertThat(run("--out", results, "--set", "evaluation.validation=true")).isEqualTo(2);
    assertThat(run("--out", results, "--set", "network.link={latency = \"5 s\"}")).isZero();
    assertThat(err.toString()).contains("note: network.link has no effect: runtime.kind is live");
  }

  @Test
  void aSecondRunGoesBesideTheFirst() {
    String results = folder.resolve("results").toString();
    assertThat(run("--out", results)).isZero();

    assertThat(run("--out", results)).isZero();
    assertThat(out.toString()).contains(results + "-2");
    assertThat(folder.resolve("results-2/summary.json")).isNotEmptyFile();
  }

  @Test
  void forceReplacesARunAndNothingElse() throws Exception {
    Path results = folder.resolve("results");
    assertThat(run("--out", results.toString())).isZero();
    Files.writeString(results.resolve("left-over"), "");

    assertThat(run("--out", results.toString(), "--force")).isZero();
    assertThat(results.resolve("left-over")).doesNotExist();
    assertThat(results.resolve("summary.json")).isNotEmptyFile();

    Path other = Files.createDirectory(folder.resolve("other"));
    Files.writeString(other.resolve("thesis.tex"), "");
    assertThat(run("--out", other.toString(), "--force")).isEqualTo(2);
    assertThat(other.resolve("thesis.tex")).exists();
  }

  @Test
  void keepsALogOfOneFormat() throws Exception {
    Path results = folder.resolve("results");
    assertThat(run("--out", results.toString())).isZero();

    assertThat(Files.readAllLines(results.resolve("run.log")))
        .hasSizeGreaterThan(3)
        .allMatch(
            line -> line.matches("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z [A-Z]+ +[a-z.A-Z]+: .*|\t.*"));

    assertThat(run("--out", folder.resolve("silent").toString(), "--log-level", "off")).isZero();
    assertThat(folder.resolve("silent/run.log")).doesNotExist();
  }

  @Test
  void aMarkOfTheByteOrderIsNoText() throws Exception {
    Files.writeString(file, "\uFEFF" + Files.readString(file));

    assertThat(run("--out", folder.resolve("results").toString())).isZero();
  }
}
