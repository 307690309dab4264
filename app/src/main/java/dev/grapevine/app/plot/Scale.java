package dev.grapevine.app.plot;

import java.util.List;

/**
 * A unit that makes a range of numbers readable.
 *
 * @param unit what to write in the axis title, or empty
 * @param factor how many base units it is
 */
record Scale(String unit, double factor) {

  private static final List<Scale> BYTES =
      List.of(
          new Scale("B", 1),
          new Scale("kB", 1e3),
          new Scale("MB", 1e6),
          new Scale("GB", 1e9),
          new Scale("TB", 1e12));

  private static final List<Scale> SECONDS =
      List.of(
          new Scale("ms", 1e-3),
          new Scale("s", 1),
          new Scale("min", 60),
          new Scale("h", 3600),
          new Scale("days", 86400));

  static final Scale NONE = new Scale("", 1);
  static final Scale PERCENT = new Scale("%", 0.01);

  static Scale ofBytes(double largest) {
    return largest(BYTES, largest);
  }

  static Scale ofSeconds(double largest) {
    return largest(SECONDS, largest / 2);
  }

  private static Scale largest(List<Scale> scales, double value) {
    Scale fitting = scales.getFirst();
    for (Scale scale : scales) {
      if (value >= scale.factor) {
        fitting = scale;
      }
    }
    return fitting;
  }

  String title(String what) {
    return unit.isEmpty() ? what : what + " (" + unit + ")";
  }
}
