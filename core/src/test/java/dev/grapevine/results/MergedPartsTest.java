package dev.grapevine.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.grapevine.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MergedPartsTest {

  @TempDir private Path folder;

  private static void record(RunDirectory run, int node, int rounds) {
    try (MetricsWriter metrics = run.metrics()) {
      for (int round = 0; round < rounds; round++) {
        Duration time = Duration.ofMillis(100L * round + node);
        metrics.record(node, round, Metrics.BYTES_SENT, 10.0 * round, time);
      }
    }
  }

  private RunDirectory part(RunDirectory run, int worker) throws IOException {
    RunDirectory part = run.part(worker);
    Files.createDirectories(part.path());
    return part;
  }

  @Test
  void whatOnlyWorkersHaveRecordedJoinsTheRun() throws IOException {
    RunDirectory run = RunDirectory.create(folder.resolve("run"));
    run.writeLinks(new LinkTraffic(List.of(new LinkTraffic.Link(0, 1, 5))));
    record(run, 0, 2);
    record(part(run, 0), 0, 3);
    RunDirectory one = part(run, 1);
    record(one, 1, 3);
    one.writeLinks(
        new LinkTraffic(List.of(new LinkTraffic.Link(0, 1, 4), new LinkTraffic.Link(1, 0, 9))));
    Files.writeString(one.metricsFile(), "1,3,bytes_se", StandardOpenOption.APPEND);

    assertThat(MergedParts.in(run)).isEqualTo(new MergedParts(2, 6, 4));
    String merged = Files.readString(run.metricsFile());
    assertThat(merged.lines().skip(1).map(line -> line.substring(0, 3)))
        .containsExactly("0,0", "1,0", "0,1", "1,1", "0,2", "1,2");
    assertThat(LinkTraffic.read(run.linksFile()).orElseThrow().links())
        .containsExactly(new LinkTraffic.Link(0, 1, 5), new LinkTraffic.Link(1, 0, 9));

    assertThat(MergedParts.in(run)).isEqualTo(new MergedParts(2, 6, 0));
    assertThat(Files.readString(run.metricsFile())).isEqualTo(merged);
  }

  @Test
  void aRunOfOneProcessHasNothingToMerge() {
    RunDirectory run = RunDirectory.create(folder.resolve("run"));
    assertThatThrownBy(() -> MergedParts.in(run))
        .isInstanceOf(UserException.class)
        .hasMessageContaining("has no parts of workers to merge");
  }
}
