package dev.grapevine.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.checkpoint.SavedCut;
import dev.grapevine.experiment.Experiment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Masked runs that are resumed or forked: the same models, and no mask a second time. */
final class MaskedResumeTest {

  private static final String FILE =
      """
      name = "masked"
      rounds = 7
      [nodes]
      count = 6
      [topology]
      kind = "regular"
      degree = 3
      [data]
      set = "blobs"
      [model]
      kind = "logistic"
      [privacy]
      kind = "secure-aggregation"
      [checkpoint]
      every = 2
      """;

  @TempDir private Path folder;

  private static void assertSameModels(Path run, Path whole) {
    for (int node = 0; node < 6; node++) {
      Path model = Path.of("models/node-%d.safetensors".formatted(node));
      assertThat(run.resolve(model)).hasSameBinaryContentAs(whole.resolve(model));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"simulated", "live"})
  void modelsAreTheSameAndMasksAreOthers(String clock) throws IOException {
    Experiment experiment = Experiment.parse(FILE).with("runtime.kind", clock);
    Path parent = folder.resolve("parent");
    Path fork = folder.resolve("fork");
    try (RecordedKeys keys = new RecordedKeys()) {
      Run.of(experiment).into(parent).savesModels(true).sharesProcess(true).start();
      Set<String> first = keys.taken();

      Run.fork(parent, OptionalInt.of(4), List.of("training.rate=0.01"))
          .into(fork)
          .sharesProcess(true)
          .start();
      Set<String> forked = keys.taken();

      Path resumed = folder.resolve("resumed");
      copy(parent, resumed);
      Files.delete(resumed.resolve("summary.json"));
      Files.delete(resumed.resolve("checkpoints/round-000006/complete.json"));
      assertThat(SavedCut.available(resumed.resolve("checkpoints"))).containsExactly(4);
      Run.resume(resumed, List.of()).savesModels(true).sharesProcess(true).start();
      Set<String> again = keys.taken();

      assertSameModels(resumed, parent);
      assertThat(first).isNotEmpty().doesNotContainAnyElementsOf(again);
      assertThat(forked).isNotEmpty().doesNotContainAnyElementsOf(again);
      assertThat(forked).doesNotContainAnyElementsOf(first);
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (var all = Files.walk(from)) {
      for (Path each : all.toList()) {
        Files.copy(each, to.resolve(from.relativize(each).toString()));
      }
    }
  }
}
