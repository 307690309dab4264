package dev.grapevine.benchmarks.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two hundred small simulations in which all sorts of things go wrong; the benchmark has more. */
class FaultSweepTest {

  private static final int SEEDS = 200;
  private static final int LOSSLESS = 60;

  @TempDir private Path folder;

  private final FaultyRuns runs = new FaultyRuns();

  @Test
  @Timeout(300)
  void nothingHangsOrBreaks() {
    nobodyComplains(SEEDS, runs::random);
  }

  @Test
  @Timeout(300)
  void whereNothingIsLostTheMeanIsKept() {
    nobodyComplains(LOSSLESS, runs::lossless);
  }

  private void nobodyComplains(int seeds, LongFunction<FaultyRun> drawn) {
    List<String> complaints = new ArrayList<>();
    for (long seed = 1; seed <= seeds; seed++) {
      FaultyRun run = drawn.apply(seed);
      run.complaint(folder)
          .ifPresent(
              wrong -> complaints.add("%s: %s; %s".formatted(run.name(), wrong, run.replay())));
    }
    assertThat(complaints).isEmpty();
  }
}
