package dev.grapevine.app.run;

import dev.grapevine.experiment.EvaluationSettings;
import dev.grapevine.launch.Forecast;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How long a run will still take. Rounds with and without evaluation are timed apart, since the
 * ones may take a hundred times as long as the others; the first of each is forgotten as soon as
 * there is a second, since the compiler was at work; and of the rest the median of the latest
 * counts.
 */
final class TimeLeft {

  private final int rounds;

  /** Entry r: in how many of the rounds before r nodes evaluate. */
  private final int[] evaluationsBefore;

  private final Pace plain = new Pace();
  private final Pace evaluated = new Pace();
  private @Nullable Forecast forecast;
  private final long startNanos;
  private int wholeRounds;
  private long lastNanos;

  TimeLeft(@Nullable EvaluationSettings evaluation, int rounds, long nowNanos) {
    this.rounds = rounds;
    this.evaluationsBefore = new int[rounds + 1];
    for (int round = 0; round < rounds; round++) {
      boolean due = evaluation != null && evaluation.due(round, rounds);
      evaluationsBefore[round + 1] = evaluationsBefore[round] + (due ? 1 : 0);
    }
    this.startNanos = nowNanos;
    this.lastNanos = nowNanos;
  }

  /** What was expected before the run began; it fills in for what was not seen yet. */
  synchronized void expected(Forecast expected) {
    forecast = expected;
  }

  /**
   * Takes notice of how far the run has got.
   *
   * @param done the share of all rounds of all nodes
   */
  synchronized void at(double done, long nowNanos) {
    int whole = (int) Math.min(rounds, Math.floor(done * rounds + 1e-9));
    int passed = whole - wholeRounds;
    if (passed <= 0) {
      return;
    }
    double seconds = (nowNanos - lastNanos) / 1e9;
    int withEvaluation = evaluationsBefore[whole] - evaluationsBefore[wholeRounds];
    int without = passed - withEvaluation;
    if (withEvaluation == 0) {
      plain.add(seconds / passed);
    } else {
      double forPlain = without * plain.seconds().orElse(seconds / passed);
      evaluated.add(Math.max(0, seconds - forPlain) / withEvaluation);
    }
    wholeRounds = whole;
    lastNanos = nowNanos;
  }

  /** Empty while nothing is known. */
  synchronized Optional<Duration> left(long nowNanos) {
    int evaluations = evaluationsBefore[rounds] - evaluationsBefore[wholeRounds];
    int plains = rounds - wholeRounds - evaluations;
    Optional<Double> perPlain = plain.seconds().or(() -> forecastPlain());
    Optional<Double> perEvaluation =
        evaluated
            .seconds()
            .or(() -> forecastEvaluation().map(extra -> extra + perPlain.orElse(0.0)));
    if (plains > 0 && perPlain.isEmpty() || evaluations > 0 && perEvaluation.isEmpty()) {
      return Optional.empty();
    }
    double seconds = plains * perPlain.orElse(0.0) + evaluations * perEvaluation.orElse(0.0);
    double since = (nowNanos - lastNanos) / 1e9;
    return Optional.of(Duration.ofMillis((long) (1e3 * Math.max(0, seconds - since))));
  }

  private Optional<Double> forecastPlain() {
    return Optional.ofNullable(forecast).map(known -> known.training().toNanos() / 1e9 / rounds);
  }

  /** What an evaluation adds to a round; nothing is known of it without a forecast. */
  private Optional<Double> forecastEvaluation() {
    int all = Math.max(1, evaluationsBefore[rounds]);
    return Optional.ofNullable(forecast).map(known -> known.evaluating().toNanos() / 1e9 / all);
  }

  /** How long one kind of round takes. */
  private static final class Pace {

    private static final int LATEST = 9;

    private final double[] latest = new double[LATEST];
    private int count;

    void add(double seconds) {
      // The second takes the place of the first.
      int at = count == 1 ? 0 : Math.max(0, count - 1) % LATEST;
      latest[at] = seconds;
      count++;
    }

    Optional<Double> seconds() {
      if (count == 0) {
        return Optional.empty();
      }
      double[] sorted = Arrays.copyOf(latest, Math.min(LATEST, Math.max(1, count - 1)));
      Arrays.sort(sorted);
      return Optional.of(sorted[sorted.length / 2]);
    }
  }
}
