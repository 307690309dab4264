package dev.grapevine.benchmarks.report;

import org.jspecify.annotations.Nullable;

/**
 * One measured value and, where there is one, the value that it should reach.
 *
 * @param name what was measured
 * @param value what came out; NaN when it could not be measured
 * @param unit of value and target
 * @param wanted what the project wants; null when the figure is for information
 */
public record Figure(String name, double value, String unit, @Nullable Target wanted) {

  /**
   * A value to reach.
   *
   * @param side on which side of it the figure should be
   */
  public record Target(Side side, double value) {}

  /** On which side of a target it is good to be. */
  public enum Side {
    AT_LEAST("at least"),
    AT_MOST("at most");

    private final String words;

    Side(String words) {
      this.words = words;
    }

    String words() {
      return words;
    }
  }

  /** A figure for information. */
  public static Figure of(String name, double value, String unit) {
    return new Figure(name, value, unit, null);
  }

  public Figure atLeast(double target) {
    return new Figure(name, value, unit, new Target(Side.AT_LEAST, target));
  }

  public Figure atMost(double target) {
    return new Figure(name, value, unit, new Target(Side.AT_MOST, target));
  }

  /** Whether the target is reached; null when there is none or nothing was measured. */
  public @Nullable Boolean reached() {
    if (wanted == null || Double.isNaN(value)) {
      return null;
    }
    return switch (wanted.side()) {
      case AT_LEAST -> value >= wanted.value();
      case AT_MOST -> value <= wanted.value();
    };
  }
}
