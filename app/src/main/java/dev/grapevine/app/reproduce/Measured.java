package dev.grapevine.app.reproduce;

import dev.grapevine.app.console.Texts;
import dev.grapevine.app.reproduce.Claim.By;
import dev.grapevine.app.reproduce.Claim.Take;
import dev.grapevine.results.Axis;
import dev.grapevine.results.Curve;
import dev.grapevine.results.SavedRun;
import dev.grapevine.results.SeedGroup;
import dev.grapevine.results.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What a claim comes to here: the differences or ratios of the two curves, seed by seed, and
 * whether their 95 % confidence interval (Student's t) lies where the claim says.
 *
 * @param claim what was claimed
 * @param pairs the differences or ratios, one for each seed that both curves have
 * @param first the first curve's values, in the mean over those seeds
 * @param second the second curve's
 */
record Measured(Claim claim, Spread pairs, double first, double second) {

  /** What can be said of a claim. */
  enum Verdict {
    HOLDS("holds"),
    DOES_NOT_HOLD("does not hold"),
    CANNOT_TELL("cannot tell");

    private final String words;

    Verdict(String words) {
      this.words = words;
    }

    String words() {
      return words;
    }
  }

  static Measured of(Claim claim, SeedGroup first, SeedGroup second) {
    List<Double> pairs = new ArrayList<>();
    List<Double> left = new ArrayList<>();
    List<Double> right = new ArrayList<>();
    for (SavedRun one : first.runs()) {
      for (SavedRun other : second.runs()) {
        if (one.seed().isPresent() && one.seed().equals(other.seed())) {
          double a = value(claim, one, other, one);
          double b = value(claim, one, other, other);
          double compared = claim.by() == By.DIFFERENCE ? a - b : a / b;
          if (!Double.isNaN(compared)) {
            left.add(a);
            right.add(b);
            pairs.add(compared);
          }
        }
      }
    }
    return new Measured(claim, Spread.of(numbers(pairs)), mean(left), mean(right));
  }

  private static double[] numbers(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).toArray();
  }

  private static double mean(List<Double> values) {
    return Spread.of(numbers(values)).mean();
  }

  /** The value of {@code run}, which is one of the two. */
  private static double value(Claim claim, SavedRun first, SavedRun second, SavedRun run) {
    String metric = claim.metric();
    SeedGroup alone = new SeedGroup("", List.of(run));
    return switch (claim.take()) {
      case LAST -> alone.last(metric)[0];
      case HIGHEST -> alone.highest(metric)[0];
      case SECONDS -> points(run, metric, Axis.TIME).map(p -> p.getLast().x()).orElse(Double.NaN);
      case AT_EQUAL_TIME -> atEqual(Axis.TIME, metric, first, second, run);
      case AT_EQUAL_BYTES -> atEqual(Axis.BYTES, metric, first, second, run);
      case BYTES_TO_REACH -> {
        double target = new SeedGroup("", List.of(second)).highest(metric)[0];
        yield alone
            .reached(metric, target)
            .getFirst()
            .map(SeedGroup.Reached::bytes)
            // What is never reached would take more than any number of bytes.
            .orElse(Double.isNaN(target) ? Double.NaN : Double.POSITIVE_INFINITY);
      }
    };
  }

  private static Optional<List<Curve.Point>> points(SavedRun run, String metric, Axis axis) {
    List<Curve.Point> points = new SeedGroup("", List.of(run)).curve(metric, axis).points();
    return points.isEmpty() ? Optional.empty() : Optional.of(points);
  }

  private static double atEqual(
      Axis axis, String metric, SavedRun first, SavedRun second, SavedRun run) {
    Optional<List<Curve.Point>> one = points(first, metric, axis);
    Optional<List<Curve.Point>> other = points(second, metric, axis);
    if (one.isEmpty() || other.isEmpty()) {
      return Double.NaN;
    }
    double end = Math.min(one.get().getLast().x(), other.get().getLast().x());
    return at(points(run, metric, axis).orElseThrow(), end);
  }

  /** The metric at {@code x}, on a straight line between two evaluations; NaN before the first. */
  private static double at(List<Curve.Point> points, double x) {
    double value = Double.NaN;
    for (int i = 0; i < points.size() && points.get(i).x() <= x; i++) {
      value = points.get(i).y().mean();
      if (i + 1 < points.size() && points.get(i + 1).x() > x) {
        Curve.Point from = points.get(i);
        Curve.Point to = points.get(i + 1);
        value += (to.y().mean() - value) * (x - from.x()) / (to.x() - from.x());
      }
    }
    return value;
  }

  Verdict verdict() {
    double least = claim.atLeast().orElse(Double.NEGATIVE_INFINITY);
    double most = claim.atMost().orElse(Double.POSITIVE_INFINITY);
    if (pairs.count() >= 2 && Double.isInfinite(pairs.mean())) {
      return Verdict.CANNOT_TELL;
    }
    double half = pairs.confidence95();
    if (Double.isNaN(half)) {
      return Verdict.CANNOT_TELL;
    }
    // Not at the bound itself: two curves that are the same are no better than each other.
    if (pairs.mean() - half > least && pairs.mean() + half < most) {
      return Verdict.HOLDS;
    }
    return pairs.mean() + half < least || pairs.mean() - half > most
        ? Verdict.DOES_NOT_HOLD
        : Verdict.CANNOT_TELL;
  }

  /** Such as {@code +4.2 ± 1.1 points (51.0 % and 46.8 %, 3 seeds)}. */
  String text() {
    if (pairs.count() == 0) {
      return "not run";
    }
    if (Double.isInfinite(pairs.mean())) {
      return "never reached with some seed";
    }
    String half = pairs.count() < 2 ? "" : " ± " + shownHalf(pairs.confidence95());
    return "%s%s%s (%s and %s, %d seed%s)"
        .formatted(
            shown(pairs.mean(), claim),
            half,
            unit(),
            plain(first),
            plain(second),
            pairs.count(),
            pairs.count() == 1 ? "" : "s");
  }

  /** Of a ratio no more digits than it is worth: rounding alone makes some 10^-15. */
  private String shownHalf(double half) {
    return claim.by() == By.RATIO
        ? String.format(Locale.ROOT, "%.2f", half)
        : shown(half, claim).replace("+", "");
  }

  private String unit() {
    return claim.by() == By.RATIO ? " times" : isShare(claim) ? " points" : "";
  }

  private String plain(double value) {
    return claim.take() == Take.SECONDS
        ? String.format(Locale.ROOT, "%,.0f s", value)
        : claim.take() == Take.BYTES_TO_REACH || claim.metric().startsWith("bytes_")
            ? Texts.bytes(value)
            : isShare(claim) ? Texts.percent(value) : String.format(Locale.ROOT, "%.4g", value);
  }

  private static boolean isShare(Claim claim) {
    return claim.metric().endsWith("accuracy")
        && claim.take() != Take.SECONDS
        && claim.take() != Take.BYTES_TO_REACH;
  }

  /** A difference or ratio as people read it: points of percent for shares of one. */
  static String shown(double value, Claim claim) {
    if (claim.by() == By.RATIO) {
      return String.format(Locale.ROOT, "%.3g", value);
    }
    return isShare(claim)
        ? String.format(Locale.ROOT, "%+.1f", 100 * value)
        : String.format(Locale.ROOT, "%+.3g", value);
  }
}
