package dev.grapevine.app.plot;

import dev.grapevine.UserException;
import dev.grapevine.results.Axis;
import dev.grapevine.results.Curve;
import dev.grapevine.results.Metrics;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Curves to be drawn together: those of a panel are of one metric against one axis.
 *
 * @param name of its files, without their ending
 * @param title above the curves, or empty
 * @param panels at least one; several of one metric and axis are small multiples with common axes,
 *     others have axes of their own
 * @param look what is wanted otherwise than usual
 */
record Figure(String name, String title, List<Panel> panels, FigureLook look) {

  /** More bands over each other cannot be told apart: as many as there are colours. */
  private static final int MOST_BANDS = 8;

  /**
   * One pair of axes.
   *
   * @param title above it, or empty
   * @param curves at least one, none of them empty
   */
  record Panel(String title, List<Curve> curves) {
    Panel {
      curves = List.copyOf(curves);
    }
  }

  Figure {
    panels = List.copyOf(panels);
  }

  static Figure of(String name, String title, List<Curve> curves) {
    return new Figure(name, title, List.of(new Panel("", curves)), FigureLook.USUAL);
  }

  /** Whether its panels are of several metrics or axes, so that each needs axes of its own. */
  boolean isMixed() {
    return curves().stream().map(curve -> List.of(curve.metric(), curve.axis())).distinct().count()
        > 1;
  }

  /** One panel as a figure: what its axes show follows from it alone. */
  Figure only(Panel panel) {
    return new Figure(name, "", List.of(panel), look);
  }

  /** All curves, panel by panel. */
  List<Curve> curves() {
    return panels.stream().flatMap(panel -> panel.curves().stream()).toList();
  }

  /** What the curves are called, each name once, in the order in which they get their styles. */
  List<String> labels() {
    return curves().stream().map(Curve::label).distinct().toList();
  }

  /** The same figure in another name. */
  Figure named(String other) {
    return new Figure(other, title, panels, look);
  }

  /** The figure with a look: its curves in their order, with their own labels and title. */
  Figure looking(FigureLook wanted) {
    List<String> before = labels();
    List<String> ordered = new ArrayList<>();
    for (int number : wanted.order()) {
      if (number < 1 || number > before.size()) {
        throw new UserException(
            "there is no curve %d to be put in order: there are %d: %s"
                .formatted(number, before.size(), String.join("; ", before)));
      }
      if (ordered.contains(before.get(number - 1))) {
        throw new UserException("the order names curve %d twice".formatted(number));
      }
      ordered.add(before.get(number - 1));
    }
    before.stream().filter(label -> !ordered.contains(label)).forEach(ordered::add);
    if (wanted.labels().size() > ordered.size()) {
      throw new UserException(
          "there are more labels than curves: labels=%d, curves=%d (%s)"
              .formatted(wanted.labels().size(), ordered.size(), String.join("; ", ordered)));
    }
    List<Panel> changed =
        panels.stream()
            .map(panel -> {
              List<Curve> curves = new ArrayList<>();
              for (int i = 0; i < ordered.size(); i++) {
                String old = ordered.get(i);
                String label = i < wanted.labels().size() ? wanted.labels().get(i) : old;
                panel.curves().stream()
                    .filter(curve -> curve.label().equals(old))
                    .map(c -> new Curve(label, c.metric(), c.axis(), c.points()))
                    .forEach(curves::add);
              }
              return new Panel(panel.title(), curves);
            })
            .toList();
    return new Figure(name, wanted.title().orElse(title), changed, wanted);
  }

  Axis axis() {
    return curves().getFirst().axis();
  }

  String metric() {
    return curves().getFirst().metric();
  }

  /** Whether values are shares, which are shown as percent and stay from 0 to 100. */
  boolean isShare() {
    return isShare(metric());
  }

  static boolean isShare(String metric) {
    return metric.matches(".*(accuracy|_f1|_auc|_recall|_precision|_top\\d+)");
  }

  Scale xScale() {
    double largest = curves().stream().mapToDouble(c -> c.points().getLast().x()).max().orElse(1);
    return switch (axis()) {
      case ROUNDS, EPOCHS, PERCENTILES -> Scale.NONE;
      case TIME -> Scale.ofSeconds(largest);
      case BYTES -> Scale.ofBytes(largest);
    };
  }

  Scale yScale() {
    if (isShare()) {
      return Scale.PERCENT;
    }
    double largest =
        curves().stream()
            .flatMap(c -> c.points().stream())
            .mapToDouble(p -> p.y().mean())
            .max()
            .orElse(1);
    return metric().startsWith("bytes_")
        ? Scale.ofBytes(largest)
        : metric().startsWith("seconds_") || metric().equals(Metrics.PACE_WAIT)
            ? Scale.ofSeconds(largest)
            : Scale.NONE;
  }

  /** Whether intervals are drawn: as asked, or where no panel has more than can be told apart. */
  boolean hasBands() {
    return look.bands()
        .orElseGet(() -> panels.stream().allMatch(panel -> panel.curves().size() <= MOST_BANDS));
  }

  String xTitle() {
    return switch (axis()) {
      case ROUNDS -> "Communication rounds";
      case EPOCHS -> "Global epochs";
      case TIME -> xScale().title("Time");
      case BYTES -> xScale().title("Sent per node");
      case PERCENTILES -> "Percentile of coordinates";
    };
  }

  String yTitle() {
    String what =
        switch (metric()) {
          case Metrics.AVERAGE_ACCURACY -> "Accuracy of average model";
          case Metrics.AVERAGE_LOSS -> "Loss of average model";
          case Metrics.BYTES_SENT -> "Sent per node";
          case Metrics.BYTES_RECEIVED -> "Received per node";
          case Metrics.PACE_WAIT -> "Wait for others";
          case Metrics.BYTES_METADATA -> "Metadata sent per node";
          default -> sentence(metric());
        };
    return yScale().title(what);
  }

  private static String sentence(String metric) {
    String words = metric.replace('_', ' ');
    return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
  }
}
