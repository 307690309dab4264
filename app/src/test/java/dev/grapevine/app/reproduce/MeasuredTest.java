package dev.grapevine.app.reproduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.grapevine.app.reproduce.Claim.By;
import dev.grapevine.app.reproduce.Claim.Take;
import dev.grapevine.app.reproduce.Measured.Verdict;
import dev.grapevine.results.MetricsWriter;
import dev.grapevine.results.RunDirectory;
import dev.grapevine.results.SavedRun;
import dev.grapevine.results.SeedGroup;
import dev.grapevine.results.Spread;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MeasuredTest {

  @TempDir private Path folder;

  private int runs;

  /** A run of two evaluations: its accuracies, the seconds of a round, the bytes of a round. */
  private SavedRun run(int seed, double seconds, double bytes, double... accuracies) {
    RunDirectory run = RunDirectory.create(folder.resolve("run-" + runs++));
    run.writeExperiment("name = \"x\"\nseed = " + seed + "\n");
    try (MetricsWriter metrics = run.metrics()) {
      for (int round = 0; round < accuracies.length; round++) {
        Duration time = Duration.ofMillis((long) (1e3 * seconds * (round + 1)));
        metrics.record(0, round, "test_accuracy", accuracies[round], time);
        metrics.record(0, round, "bytes_sent", bytes * (round + 1), time);
      }
    }
    return SavedRun.read(run.path());
  }

  private SeedGroup seeds(double seconds, double bytes, double... lasts) {
    List<SavedRun> group = new ArrayList<>();
    for (int seed = 0; seed < lasts.length; seed++) {
      group.add(run(seed, seconds, bytes, 0.1, lasts[seed]));
    }
    return new SeedGroup("", group);
  }

  private static Claim claim(Take take, By by, double atLeast, double atMost) {
    return new Claim(
        "",
        "",
        take == Take.LAST && by == By.RATIO ? "bytes_sent" : "test_accuracy",
        take,
        "a",
        "b",
        by,
        OptionalDouble.of(atLeast),
        OptionalDouble.of(atMost),
        List.of());
  }

  private static Claim above(double least) {
    return claim(Take.LAST, By.DIFFERENCE, least, 1);
  }

  @Test
  void aClaimHoldsWhenTheWholeIntervalLiesWhereItSays() {
    SeedGroup high = seeds(1, 1, 0.50, 0.52, 0.51);
    SeedGroup low = seeds(1, 1, 0.40, 0.41, 0.405);
    assertThat(Measured.of(above(0), high, low).verdict()).isEqualTo(Verdict.HOLDS);
    assertThat(Measured.of(above(0), low, high).verdict()).isEqualTo(Verdict.DOES_NOT_HOLD);
    assertThat(Measured.of(above(0.1), high, low).verdict()).isEqualTo(Verdict.CANNOT_TELL);
    assertThat(Measured.of(above(0.2), high, low).verdict()).isEqualTo(Verdict.DOES_NOT_HOLD);
    assertThat(Measured.of(above(0), high, low).text())
        .isEqualTo("+10.5 ± 1.2 points (51.0 % and 40.5 %, 3 seeds)");
  }

  @Test
  void whoIsTheSameIsNotAhead() {
    SeedGroup same = seeds(1, 1, 0.50, 0.52, 0.51);
    assertThat(Measured.of(above(0), same, same).verdict()).isEqualTo(Verdict.CANNOT_TELL);
  }

  @Test
  void oneSeedTellsNothing() {
    Measured measured = Measured.of(above(0), seeds(1, 1, 0.9), seeds(1, 1, 0.1));
    assertThat(measured.verdict()).isEqualTo(Verdict.CANNOT_TELL);
    assertThat(measured.text()).isEqualTo("+80.0 points (90.0 % and 10.0 %, 1 seed)");
    assertThat(Measured.of(above(0), new SeedGroup("", List.of()), seeds(1, 1, 0.1)).text())
        .isEqualTo("not run");
  }

  @Test
  void onlySeedsThatBothHaveArePaired() {
    SeedGroup three = seeds(1, 1, 0.5, 0.6, 0.7);
    SeedGroup two = seeds(1, 1, 0.4, 0.5);
    Measured measured = Measured.of(above(0), three, two);
    assertThat(measured.pairs().count()).isEqualTo(2);
    assertThat(measured.first()).isCloseTo(0.55, within(1e-9));
  }

  @Test
  void timesAndBytesAreCompared() {
    SeedGroup slow = seeds(6, 510, 0.5, 0.5);
    SeedGroup fast = seeds(2, 10, 0.4, 0.4);
    Measured time = Measured.of(claim(Take.SECONDS, By.RATIO, 2, 4), slow, fast);
    assertThat(time.verdict()).isEqualTo(Verdict.HOLDS);
    assertThat(time.text()).isEqualTo("3.00 ± 0.00 times (12 s and 4 s, 2 seeds)");
    Measured bytes = Measured.of(claim(Take.LAST, By.RATIO, 48, 54), slow, fast);
    assertThat(bytes.pairs().mean()).isCloseTo(51, within(1e-9));
    assertThat(bytes.verdict()).isEqualTo(Verdict.HOLDS);
  }

  @Test
  void roundingIsNoSpreadWorthShowing() {
    Spread nearlyAlike = Spread.of(new double[] {2.8, Math.nextUp(2.8)});
    assertThat(new Measured(claim(Take.SECONDS, By.RATIO, 2, 4), nearlyAlike, 5.6, 2).text())
        .startsWith("2.80 ± 0.00 times");
  }

  @Test
  void atEqualTimeTheLongerRunIsCutInTheMiddle() {
    // After 4 s the slow one is a third of the way from its first evaluation (3 s) to its second.
    SeedGroup slow = seeds(3, 1, 0.4, 0.4);
    SeedGroup fast = seeds(2, 1, 0.4, 0.4);
    Measured measured = Measured.of(claim(Take.AT_EQUAL_TIME, By.DIFFERENCE, 0, 1), fast, slow);
    assertThat(measured.first()).isCloseTo(0.4, within(1e-9));
    assertThat(measured.second()).isCloseTo(0.2, within(1e-9));
  }

  @Test
  void bytesToReachWhatTheOtherReached() {
    SeedGroup good = seeds(1, 10, 0.5, 0.5);
    SeedGroup bad = seeds(1, 50, 0.4, 0.4);
    Claim fewer = claim(Take.BYTES_TO_REACH, By.RATIO, 0, 1);
    Measured measured = Measured.of(fewer, good, bad);
    assertThat(measured.pairs().mean()).isCloseTo(0.2, within(1e-9));
    assertThat(measured.verdict()).isEqualTo(Verdict.HOLDS);
    Measured never = Measured.of(fewer, bad, good);
    assertThat(never.verdict()).isEqualTo(Verdict.CANNOT_TELL);
    assertThat(never.text()).isEqualTo("never reached with some seed");
  }
}
