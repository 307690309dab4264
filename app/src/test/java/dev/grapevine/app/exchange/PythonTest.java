package dev.grapevine.app.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.app.CommandRun;
import dev.grapevine.app.plot.SomeRuns;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Runs the Python of the guide where there is a Python with what it needs. */
final class PythonTest {

  private static final Path SCRIPTS = Path.of("../examples/python").toAbsolutePath().normalize();

  @TempDir Path dir;

  /** A Python that can import a module; the test is skipped where there is none. */
  private static String pythonWith(String module) throws IOException, InterruptedException {
    for (String python : List.of("/usr/bin/python3", "python3")) {
      try {
        Process process =
            new ProcessBuilder(python, "-c", "import " + module)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (process.waitFor() == 0) {
          return python;
        }
      } catch (IOException absent) {
        // The next one.
      }
    }
    Assumptions.abort("no python3 with " + module);
    return "";
  }

  private String run(String... command) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
    builder.environment().put("PYTHONPATH", SCRIPTS.toString());
    builder.environment().put("RUNS", dir.toString());
    Process process = builder.start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(out).isZero();
    return out;
  }

  @Test
  void pandasReadsRuns() throws Exception {
    String python = pythonWith("pandas");
    SomeRuns.write(dir, "full", 90, 0.7);
    Files.writeString(dir.resolve("full-90/summary.json"), "{\"name\": \"full\", \"seed\": 90}");
    assertThat(run(python, SCRIPTS.resolve("read_runs.py").toString(), dir.toString()))
        .contains("full-90", "mean");
  }

  @Test
  void theNotebookRuns() throws Exception {
    String python = pythonWith("pandas");
    SomeRuns.write(dir, "full", 90, 0.7);
    Files.writeString(dir.resolve("full-90/summary.json"), "{\"name\": \"full\", \"seed\": 90}");
    JsonNode notebook = JsonMapper.shared().readTree(SCRIPTS.resolve("runs.ipynb").toFile());
    List<String> code = new ArrayList<>();
    for (JsonNode cell : notebook.path("cells")) {
      if (cell.path("cell_type").asString().equals("code")) {
        cell.path("source").forEach(line -> code.add(line.asString()));
      }
    }
    Path script = Files.writeString(dir.resolve("notebook.py"), String.join("", code));
    run(python, script.toString());
  }

  @Test
  void torchLoadsASavedModel() throws Exception {
    String python = pythonWith("torch");
    Path out = dir.resolve("run");
    CommandRun run =
        CommandRun.of(
            "run",
            "../examples/quickstart.toml",
            "--set",
            "rounds=1",
            "--set",
            "nodes.count=5",
            "--set",
            "evaluation.samples=20",
            "--save-models",
            "--out",
            out);
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(
            run(
                python,
                SCRIPTS.resolve("load_model.py").toString(),
                out.resolve("models/node-0.safetensors").toString()))
        .contains("tensor([[");
  }

  @Test
  void eventFilesAndStoresHoldWhatWasRecorded() throws IOException {
    Path run = SomeRuns.write(dir, "full", 90, 0.7);
    Path events = dir.resolve("events");
    assertThat(CommandRun.of("export", run, "--format", "tensorboard", "--out", events).exitCode())
        .isZero();
    byte[] file;
    try (var inside = Files.list(events.resolve("full-90"))) {
      file = Files.readAllBytes(inside.findFirst().orElseThrow());
    }
    assertThat(new String(file, StandardCharsets.ISO_8859_1))
        .contains("brain.Event:2", "test_accuracy", "test_accuracy/lowest");
    // The length of the first record and its masked CRC-32C, as TensorFlow writes them.
    assertThat(file).startsWith(0x18, 0, 0, 0, 0, 0, 0, 0, 0xa3, 0x7f, 0x4b, 0x22);
    Path store = dir.resolve("mlruns");
    assertThat(CommandRun.of("export", run, "--format", "mlflow", "--out", store).exitCode())
        .isZero();
    try (var files = Files.walk(store)) {
      assertThat(files.map(path -> path.getFileName().toString()))
          .contains("meta.yaml", "training.rate", "test_accuracy", "mlflow.runName");
    }
    Path csv = dir.resolve("all.csv");
    Path other = SomeRuns.write(dir, "ring", 90, 0.6);
    assertThat(CommandRun.of("export", run, other, "--format", "csv", "--out", csv).exitCode())
        .isZero();
    assertThat(Files.readAllLines(csv))
        .startsWith("run,name,seed,training.rate,node,round,time,metric,value")
        .hasSize(1 + 2 * 5 * 4 * 10);
  }
}
