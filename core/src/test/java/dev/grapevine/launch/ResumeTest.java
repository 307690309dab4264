package dev.grapevine.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.grapevine.UserException;
import dev.grapevine.checkpoint.SavedCut;
import dev.grapevine.engine.Safetensors;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.results.Axis;
import dev.grapevine.results.RunClaim;
import dev.grapevine.results.RunDirectory;
import dev.grapevine.results.SavedRun;
import dev.grapevine.results.SeedGroup;
import dev.grapevine.runtime.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs that go on from what is on disk. */
final class ResumeTest {

  private static final String FILE =
      """
      name = "resumed"
      rounds = 7
      [nodes]
      count = 4
      [topology]
      kind = "ring"
      [data]
      set = "blobs"
      [model]
      kind = "logistic"
      [training]
      optimizer = "adam"
      batch-size = 8
      [evaluation]
      every = 1
      average-model = true
      [checkpoint]
      every = 2
      """;

  @TempDir private Path folder;

  private Path run(Experiment experiment, String name) {
    Path directory = folder.resolve(name);
    Run.of(experiment).into(directory).savesModels(true).sharesProcess(true).start();
    return directory;
  }

  private static Experiment experiment(String clock) {
    return Experiment.parse(FILE).with("runtime.kind", clock);
  }

  /** The directory as a kill leaves it: no summary, and a cut to go on from. */
  private Path killed(Path whole, String name, int rounds) throws IOException {
    Path directory = folder.resolve(name);
    Files.createDirectories(directory.getParent());
    copy(whole, directory);
    Files.delete(directory.resolve("summary.json"));
    for (int later : SavedCut.available(directory.resolve("checkpoints"))) {
      if (later > rounds) {
        Files.delete(cut(directory, later).resolve("complete.json"));
      }
    }
    return directory;
  }

  private static Path cut(Path directory, int rounds) {
    return directory.resolve("checkpoints").resolve("round-%06d".formatted(rounds));
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path each : all.toList()) {
        Files.copy(each, to.resolve(from.relativize(each).toString()));
      }
    }
  }

  private static RunResult resume(Path directory) {
    return Run.resume(directory, List.of()).savesModels(true).sharesProcess(true).start();
  }

  private static void assertSame(Path resumed, Path whole) throws IOException {
    assertThat(figures(resumed)).isEqualTo(figures(whole));
    for (int node = 0; node < 4; node++) {
      Path model = Path.of("models/node-" + node + ".safetensors");
      assertThat(resumed.resolve(model)).hasSameBinaryContentAs(whole.resolve(model));
    }
  }

  /** All lines but times by the wall clock, in an order that does not depend on it. */
  private static List<String> figures(Path directory) throws IOException {
    boolean virtual =
        SavedRun.summaryOf(directory).orElseThrow().path("virtual_seconds").isNumber();
    List<String> lines = new ArrayList<>();
    for (String line : Files.readAllLines(directory.resolve("metrics.csv"))) {
      boolean isTime = line.contains(",seconds_") && !(virtual && line.contains("seconds_wait"));
      boolean isEarly = !virtual && line.contains("bytes_received");
      if (!isTime && !isEarly) {
        lines.add(virtual ? line : line.substring(0, line.lastIndexOf(',')));
      }
    }
    return lines.stream().sorted().toList();
  }

  @ParameterizedTest
  @CsvSource({"simulated, 4", "simulated, 6", "live, 4", "live, 6"})
  void aKilledRunEndsAsIfItHadNeverBeenCut(String clock, int rounds) throws IOException {
    Path whole = run(experiment(clock), "whole");
    Path killed = killed(whole, "killed", rounds);
    RunResult result = resume(killed);
    assertThat(result.outcome().ending()).isEqualTo(Outcome.Ending.DONE);
    assertSame(killed, whole);
    var then = SavedRun.summaryOf(whole).orElseThrow();
    var now = SavedRun.summaryOf(killed).orElseThrow();
    for (String same :
        List.of(
            "trace_hash",
            "virtual_seconds",
            "bytes_sent_per_node_mean",
            "bytes_received_per_node_mean",
            "average_accuracy")) {
      assertThat(now.path(same)).as(same).isEqualTo(then.path(same));
    }
    assertThat(SavedRun.read(killed).provenance().orElseThrow().path("resumed").size())
        .isEqualTo(1);
  }

  @Test
  void onlyTheNewestCutsAreKeptAndTheyAreSafetensors() throws IOException {
    Path whole = run(experiment("simulated"), "whole");
    assertThat(SavedCut.available(whole.resolve("checkpoints"))).containsExactly(4, 6);
    assertThat(cut(whole, 2)).doesNotExist();
    Path file = cut(whole, 4).resolve("node-3.safetensors");
    assertThat(Safetensors.blocks(file))
        .anySatisfy(block -> assertThat(block.name()).isEqualTo("learner/parameters"));
    assertThat(Safetensors.metadata(file)).containsKeys("grapevine.values", "grapevine.bytes");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"shorter", "flipped", "missing", "other version", "no json", "another moment"})
  void theCutBeforeIsTakenWhenTheNewestIsDamaged(String damage) throws IOException {
    Path whole = run(experiment("simulated"), "whole");
    Path killed = killed(whole, "killed", 6);
    Path file = cut(killed, 6).resolve("node-2.safetensors");
    Path complete = cut(killed, 6).resolve("complete.json");
    byte[] bytes = Files.readAllBytes(file);
    switch (damage) {
      case "shorter" -> Files.write(file, java.util.Arrays.copyOf(bytes, bytes.length / 2));
      case "flipped" -> {
        bytes[bytes.length - 3] ^= 4;
        Files.write(file, bytes);
      }
      case "missing" -> Files.delete(file);
      case "other version" ->
          Files.writeString(
              complete, Files.readString(complete).replace("\"format\" : 2", "\"format\" : 99"));
      case "another moment" ->
          Files.writeString(
              complete,
              Files.readString(complete).replace("\"time_nanos\" : ", "\"time_nanos\" : 1"));
      default -> Files.writeString(complete, "{ cut");
    }
    List<String> notes = new ArrayList<>();
    Run.resume(killed, List.of())
        .savesModels(true)
        .sharesProcess(true)
        .listener(new Notes(notes))
        .start();
    assertSame(killed, whole);
    assertThat(notes.getFirst()).startsWith("the checkpoint after round 6 cannot be used: ");
    assertThat(notes).contains("goes on after round 4 of 7");
  }

  private record Notes(List<String> notes) implements ProgressListener {
    @Override
    public void progress(RunProgress progress) {}

    @Override
    public void note(String text) {
      notes.add(text);
    }
  }

  @Test
  void aChangedExperimentIsRefused() throws IOException {
    Path killed = killed(run(experiment("simulated"), "whole"), "killed", 6);
    Path file = killed.resolve("experiment.toml");
    Files.writeString(file, Files.readString(file).replace("batch-size = 8", "batch-size = 9"));
    assertThatThrownBy(() -> Run.resume(killed, List.of()))
        .isInstanceOf(UserException.class)
        .hasMessageContaining("it belongs to another experiment");
  }

  @Test
  void whatHasASayInTheResultsCannotBeSetAnew() throws IOException {
    Path killed = killed(run(experiment("simulated"), "whole"), "killed", 6);
    assertThatThrownBy(() -> Run.resume(killed, List.of("training.rate=0.5")))
        .isInstanceOf(UserException.class)
        .hasMessageContaining("only runtime.threads");
    assertThat(Run.resume(killed, List.of("runtime.threads=1"))).isNotNull();
  }

  @Test
  void aCompleteRunIsRefused() {
    Path whole = run(experiment("simulated"), "whole");
    assertThatThrownBy(() -> Run.resume(whole, List.of()))
        .isInstanceOf(UserException.class)
        .hasMessageContaining("is complete (done)");
  }

  @Test
  void aRunWithoutCheckpointsIsRefused() throws IOException {
    Path whole = run(experiment("simulated").with("checkpoint.every", "0"), "whole");
    Path killed = killed(whole, "killed", 0);
    assertThatThrownBy(() -> Run.resume(killed, List.of()))
        .isInstanceOf(UserException.class)
        .hasMessageContaining("was run without checkpoints");
  }

  @Test
  void aRunThatWasKilledBeforeItsFirstCutBeginsAgain() throws IOException {
    Path whole = run(experiment("simulated"), "whole");
    Path killed = killed(whole, "killed", 0);
    resume(killed);
    assertSame(killed, whole);
  }

  @Test
  void aFolderThatCannotBeWrittenCostsTheCheckpointsAlone() throws IOException {
    Path directory = folder.resolve("full");
    List<String> warnings = new ArrayList<>();
    RunResult result =
        Run.of(experiment("live"))
            .into(directory)
            .sharesProcess(true)
            .listener(
                new ProgressListener() {
                  @Override
                  public void progress(RunProgress progress) {}

                  @Override
                  public void begun(dev.grapevine.results.RunDirectory run) {
                    try {
                      // A file in the way: nobody, root included, can make a folder of it.
                      Files.writeString(run.checkpoints(), "in the way");
                    } catch (IOException e) {
                      throw new java.io.UncheckedIOException(e);
                    }
                  }

                  @Override
                  public void warning(String text) {
                    warnings.add(text);
                  }
                })
            .start();
    assertThat(result.outcome().ending()).isEqualTo(Outcome.Ending.DONE);
    assertThat(warnings).hasSize(1);
    assertThat(warnings.getFirst())
        .contains("the checkpoint after round 2 could not be written")
        .contains("the run goes on");
  }

  private RunResult fork(Path parent, int at, String... assignments) {
    return Run.fork(parent, OptionalInt.of(at), List.of(assignments))
        .into(folder.resolve("fork"))
        .savesModels(true)
        .sharesProcess(true)
        .start();
  }

  @ParameterizedTest
  @ValueSource(strings = {"simulated", "live"})
  void aForkThatChangesNothingEndsAsItsParent(String clock) throws IOException {
    Path parent = run(experiment(clock), "parent");
    RunResult result = fork(parent, 4);
    assertSame(result.directory().path(), parent);
    assertThat(result.read().branch().orElseThrow())
        .isEqualTo(new SavedRun.Branch(parent.toAbsolutePath().normalize(), 4));
  }

  @ParameterizedTest
  @CsvSource({
    "sharing.kind=jwins++,''",
    "protocol.kind=exact-diffusion,''",
    "protocol.kind=gossip,sharing.kind=topk",
    "topology.kind=fully-connected,''",
    "training.optimizer=sgd,training.rate=0.5",
    "rounds=9,aggregation.kind=median"
  })
  void aForkHasItsParentsPastAndAFutureOfItsOwn(String first, String second) throws IOException {
    Path parent = run(experiment("simulated"), "parent");
    RunResult result = second.isEmpty() ? fork(parent, 4, first) : fork(parent, 4, first, second);
    assertThat(result.outcome().ending()).isEqualTo(Outcome.Ending.DONE);
    Path fork = result.directory().path();
    assertThat(past(fork)).isEqualTo(past(parent)).isNotEmpty();
    assertThat(figures(fork)).isNotEqualTo(figures(parent));
    List<SeedGroup> groups = SeedGroup.of(List.of(SavedRun.read(parent), SavedRun.read(fork)));
    assertThat(groups).hasSize(2);
    assertThat(groups.get(1).label()).endsWith(", from round 4");
    assertThat(groups.get(1).curve("test_accuracy", Axis.ROUNDS).points().getFirst().x())
        .isEqualTo(4);
  }

  @ParameterizedTest
  @ValueSource(strings = {"simulated", "live"})
  void aForkThatWasKilledBeforeItsFirstCutBeginsWhereItBranchedOff(String clock)
      throws IOException {
    Path parent = run(experiment(clock), "parent");
    Path whole = fork(parent, 4, "sharing.kind=topk").directory().path();
    Path killed = killed(whole, "killed", 4);
    resume(killed);
    assertSame(killed, whole);
    assertThat(SavedRun.read(killed).branch()).isEqualTo(SavedRun.read(whole).branch());

    Path moved = killed(whole, "moved/killed", 4);
    Files.move(parent, folder.resolve("moved/parent"));
    resume(moved);
    assertSame(moved, whole);

    Path orphan = killed(whole, "orphan", 4);
    assertThatThrownBy(() -> resume(orphan))
        .isInstanceOf(UserException.class)
        .hasMessageContainingAll("branched off", "after round 4", "no run directory");
  }

  @Test
  void oneAtATimeGoesOnWithARun() throws IOException {
    Path whole = run(experiment("simulated"), "whole");
    Path killed = killed(whole, "killed", 4);
    Run late = Run.resume(killed, List.of()).sharesProcess(true);
    try (RunClaim claim = new RunDirectory(killed).claim().orElseThrow()) {
      assertThatThrownBy(() -> resume(killed))
          .isInstanceOf(UserException.class)
          .hasMessageContaining("is being resumed by another process");
    }
    resume(killed);
    assertSame(killed, whole);
    assertThatThrownBy(late::start)
        .isInstanceOf(UserException.class)
        .hasMessageContaining("resumed by somebody else meanwhile");
    assertSame(killed, whole);
  }

  private static List<String> past(Path run) throws IOException {
    return Files.readAllLines(run.resolve("metrics.csv")).stream()
        .filter(line -> line.matches("-?\\d+,[0-3],.*"))
        .toList();
  }

  @Test
  void aForkThatDoesNotFitIsRefused() {
    Path parent = run(experiment("simulated"), "parent");
    assertThatThrownBy(() -> fork(parent, 3)).hasMessageContaining("there is one after round 4, 6");
    assertThatThrownBy(() -> fork(parent, 4, "nodes.count=5"))
        .hasMessageContaining("as many nodes as its parent");
    assertThatThrownBy(() -> fork(parent, 4, "model.kind=mlp"))
        .hasMessageContaining("the model of its parent");
    assertThatThrownBy(() -> fork(parent, 4, "rounds=4"))
        .hasMessageContaining("more rounds than the 4");
    assertThatThrownBy(() -> fork(parent, 4, "protocol.kind=federated"))
        .hasMessageContaining("as many servers");
    assertThatThrownBy(() -> fork(parent, 4, "data.set=digits"))
        .isInstanceOf(UserException.class)
        .hasMessageContaining("data with as many inputs and classes");
  }

  @ParameterizedTest
  @CsvSource({"simulated, 0", "simulated, 5", "live, 5"})
  void aFailedNodeComesBackFromTheNewestCheckpoint(String clock, int round) throws IOException {
    Experiment calm = experiment(clock).with("faults.failed-node", "restart");
    Path whole = run(calm, "whole");
    Path struck =
        run(
            calm.with(
                "faults.inject",
                "[{fault = \"throws\", node = 2, from-round = %d}]".formatted(round)),
            "struck");
    assertSame(struck, whole);
    assertThat(SavedRun.read(struck).provenance().orElseThrow().path("resumed").size())
        .isEqualTo(1);

    // What was saved after the restart knows that the fault has struck.
    Path resumed = killed(struck, "resumed", 6);
    resume(resumed);
    assertSame(resumed, whole);
    assertThat(SavedRun.read(resumed).provenance().orElseThrow().path("resumed").size())
        .isEqualTo(2);
  }

  @Test
  void restartsNeedCheckpoints() {
    assertThatThrownBy(() ->
            run(
                experiment("simulated")
                    .with(List.of("faults.failed-node=restart", "checkpoint.every=0")),
                "none"))
        .isInstanceOf(UserException.class)
        .hasMessageContaining("set checkpoint.every");
  }
}
