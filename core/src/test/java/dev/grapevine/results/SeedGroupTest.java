package dev.grapevine.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What groups of runs are called. */
class RunGroupTest {

  @TempDir Path folder;

  private int runs;

  private List<String> labels(String... experiments) {
    return SeedGroup.of(Arrays.stream(experiments).map(this::run).toList()).stream()
        .map(SeedGroup::label)
        .toList();
  }

  private SavedRun run(String experiment) {
    RunDirectory run = RunDirectory.create(folder.resolve("run-" + runs++));
    run.writeExperiment(experiment);
    run.metrics().close();
    return SavedRun.read(run.path());
  }

  @Test
  void namesWhereTheyDiffer() {
    assertThat(labels("name = \"ring\"", "name = \"full\"")).containsExactly("ring", "full");
  }

  @Test
  void epochsFollowFromTheSettings() {
    assertThat(epochs("[training]\nrounds-per-global-epoch = 20")).isEqualTo(0.1);
    assertThat(epochs("[training]\nepochs = 2")).isEqualTo(4);
    assertThat(epochs("[training]\nsteps = 5\nbatch-size = 8\n[nodes]\ncount = 2"))
        .as("without the data nobody knows")
        .isNaN();
  }

  /** Where the second round stands on the axis; NaN if nowhere. */
  private double epochs(String settings) {
    RunDirectory run = RunDirectory.create(folder.resolve("run-" + runs++));
    run.writeExperiment("name = \"x\"\n" + settings);
    try (MetricsWriter metrics = run.metrics()) {
      metrics.record(0, 1, Metrics.TEST_LOSS, 1, java.time.Duration.ZERO);
    }
    return new SeedGroup("", List.of(SavedRun.read(run.path())))
        .curve(Metrics.TEST_LOSS, Axis.EPOCHS).points().stream()
            .mapToDouble(Curve.Point::x)
            .findFirst()
            .orElse(Double.NaN);
  }

  @Test
  void aKindAloneWhereItTellsAll() {
    assertThat(
            labels(
                "name = \"x\"\n[sharing]\nkind = \"full\"",
                "name = \"x\"\n[sharing]\nalpha-low = 0.2\nkind = \"jwins++\"",
                "name = \"x\"\nseed = 2\n[sharing]\nkind = \"full\""))
        .containsExactly("full", "jwins++");
  }

  @Test
  void noMoreSettingsThanItTakes() {
    assertThat(
            labels(
                "name = \"x\"\nrounds = 5\n[sharing]\nkind = \"topk\"\nalpha = 0.1",
                "name = \"x\"\nrounds = 5\n[sharing]\nkind = \"topk\"\nalpha = 0.2",
                "name = \"x\"\nrounds = 6\n[sharing]\nkind = \"full\""))
        .containsExactly("sharing=topk, alpha=0.1", "sharing=topk, alpha=0.2", "sharing=full");
  }
}
