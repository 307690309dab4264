package dev.grapevine.benchmarks.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two hundred small simulations in which all sorts of things go wrong; the benchmark has more. */
class FaultSweepTest {

  private static final int SEEDS = 200;

  @TempDir private Path folder;

  @Test
  @Timeout(300)
  void nothingHangsOrBreaks() {
    FaultyRuns runs = new FaultyRuns();
    List<String> complaints = new ArrayList<>();
    for (long seed = 1; seed <= SEEDS; seed++) {
      FaultyRun run = runs.random(seed);
      run.complaint(folder)
          .ifPresent(
              wrong -> complaints.add("%s: %s; %s".formatted(run.name(), wrong, run.replay())));
    }
    assertThat(complaints).isEmpty();
  }
}
