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
}
