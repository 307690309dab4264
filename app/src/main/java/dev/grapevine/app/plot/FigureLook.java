package dev.grapevine.app.plot;

import dev.grapevine.UserException;
import java.awt.Color;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What one may want otherwise in a figure.
 *
 * @param title in place of the usual one
 * @param labels of the curves, in their order; those beyond the list keep theirs
 * @param order numbers of the curves, from 1, that come first
 * @param colors of the curves, in their order
 * @param width in millimetres
 * @param height in millimetres, legend included
 * @param logX whether the x axis is logarithmic
 * @param logY whether the y axis is logarithmic
 * @param xLimits the ends of the x axis, in the unit that it shows; empty for all that there is
 * @param yLimits the ends of the y axis, in the unit that it shows
 * @param legend where the legend goes
 * @param bands whether confidence intervals are drawn; empty for where they can be told apart
 * @param columns of small multiples; 0 for as many as look well
 */
record FigureLook(
    Optional<String> title,
    List<String> labels,
    List<Integer> order,
    List<Color> colors,
    OptionalDouble width,
    OptionalDouble height,
    boolean logX,
    boolean logY,
    Optional<Limits> xLimits,
    Optional<Limits> yLimits,
    Legend legend,
    Optional<Boolean> bands,
    int columns) {

  /** Where a legend goes. */
  enum Legend {
    /** In a corner that is free of curves, else below. */
    AUTO,
    BELOW,
    RIGHT,
    NONE
  }

  /** Two ends of an axis. */
  record Limits(double low, double high) {

    Limits {
      if (!(low < high) || Double.isInfinite(high - low)) {
        throw new UserException(
            "limits of an axis need a lower end below the upper: low=%s, high=%s"
                .formatted(low, high));
      }
    }
  }

  static final FigureLook USUAL =
      new FigureLook(
          Optional.empty(),
          List.of(),
          List.of(),
          List.of(),
          OptionalDouble.empty(),
          OptionalDouble.empty(),
          false,
          false,
          Optional.empty(),
          Optional.empty(),
          Legend.AUTO,
          Optional.empty(),
          0);

  FigureLook {
    labels = List.copyOf(labels);
    order = List.copyOf(order);
    colors = List.copyOf(colors);
    check("width", width);
    check("height", height);
    if (logX && xLimits.isPresent() && xLimits.get().low() <= 0
        || logY && yLimits.isPresent() && yLimits.get().low() <= 0) {
      throw new UserException("a logarithmic axis cannot begin at 0 or below; set other limits");
    }
  }

  private static void check(String what, OptionalDouble length) {
    if (length.isPresent() && !(length.getAsDouble() >= 30 && length.getAsDouble() <= 2000)) {
      throw new UserException(
          "the %s of a figure must be from 30 to 2000 millimetres: %s=%s"
              .formatted(what, what, length.getAsDouble()));
    }
  }
}
