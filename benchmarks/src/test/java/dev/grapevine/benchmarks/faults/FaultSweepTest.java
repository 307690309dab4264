package dev.grapevine.benchmarks.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
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
    nobodyComplains(LongStream.rangeClosed(1, SEEDS), runs::random);
  }

  @Test
  @Timeout(300)
  void whereNothingIsLostTheMeanIsKept() {
    nobodyComplains(LongStream.rangeClosed(1, LOSSLESS), runs::lossless);
  }

  /** Questions and answers of a dynamic graph that came a second time, long after the first. */
  @Test
  @Timeout(300)
  void linksAreAgreedOnOnce() {
    nobodyComplains(LongStream.of(381, 486, 745), runs::lossless);
  }

  private void nobodyComplains(LongStream seeds, LongFunction<FaultyRun> drawn) {
    List<String> complaints = new ArrayList<>();
    seeds.forEach(seed -> {
      FaultyRun run = drawn.apply(seed);
      run.complaint(folder)
          .ifPresent(
              wrong -> complaints.add("%s: %s; %s".formatted(run.name(), wrong, run.replay())));
    });
    assertThat(complaints).isEmpty();
  }
}
