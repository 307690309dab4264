package dev.grapevine.app.reproduce;

import static dev.grapevine.settings.SettingException.require;

import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Something that a document says of two of its curves, in numbers: how far the first lies above the
 * second, or how many times as large it is, at least or at most.
 */
record Claim(
    @Doc("the claim in one sentence") String says,
    @Default("") @Doc("the numbers that were published") String published,
    @Default("test_accuracy") @Doc("what is compared") String metric,
    @Default("highest") @Doc("which of its values: last, highest, and so on") Take take,
    @Doc("the name of a curve") String first,
    @Doc("the name of the curve it is held against") String second,
    @Default("difference") @Doc("difference, or ratio") By by,
    @Doc("least difference or ratio for the claim to hold") OptionalDouble atLeast,
    @Doc("largest difference or ratio for the claim to hold") OptionalDouble atMost,
    @Default("[]") @Doc("the scales at which it makes sense; all unless given")
        List<Scale> scales) {

  /** Which value of a run's metric counts. */
  enum Take {
    /** The one of the last evaluation. */
    LAST,
    /** The best of all evaluations. */
    HIGHEST,
    /** The one at the moment when the shorter of the two runs ends. */
    AT_EQUAL_TIME,
    /** The one at as many bytes as the run has sent that sends less. */
    AT_EQUAL_BYTES,
    /** The bytes sent until the metric was what the second run reached at best. */
    BYTES_TO_REACH,
    /** When the last evaluation was, in seconds. */
    SECONDS
  }

  /** How two values are compared. */
  enum By {
    DIFFERENCE,
    RATIO
  }

  Claim {
    require(
        atLeast.isPresent() || atMost.isPresent(),
        "at-least",
        "a claim needs at-least, at-most or both: claim=" + says);
    require(
        atLeast.orElse(Double.NEGATIVE_INFINITY) <= atMost.orElse(Double.POSITIVE_INFINITY),
        "at-most",
        "at-most must not be below at-least: claim=" + says);
  }

  boolean isFor(Scale scale) {
    return scales.isEmpty() || scales.contains(scale);
  }

  /** The bound, as people say it. */
  String bound() {
    if (atLeast.isPresent() && atMost.isPresent()) {
      return "%s to %s".formatted(shown(atLeast.getAsDouble()), shown(atMost.getAsDouble()));
    }
    return atLeast.isPresent()
        ? "at least " + shown(atLeast.getAsDouble())
        : "at most " + shown(atMost.orElseThrow());
  }

  private String shown(double value) {
    return Measured.shown(value, this);
  }
}
