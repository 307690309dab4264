package dev.grapevine.app.plot;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One axis: its ends, whether it is logarithmic, and where it has numbers.
 *
 * @param low below {@code high}, above 0 if logarithmic
 * @param at where numbers stand
 * @param labels the numbers
 */
record Ticks(double low, double high, boolean log, List<Double> at, List<String> labels) {

  /** Beyond this, differences of numbers are no longer finite. */
  static final double LARGEST = 1e300;

  private static final double[] STEPS = {1, 2, 2.5, 5, 10};
  private static final int MOST = 40;

  /**
   * @param wanted about how many numbers there is room for
   */
  static Ticks of(double low, double high, boolean log, int wanted) {
    return log ? logarithmic(low, high, wanted) : linear(low, high, Math.max(1, wanted));
  }

  private static Ticks linear(double low, double high, int wanted) {
    double rough = (high - low) / wanted;
    double power = Math.pow(10, Math.floor(Math.log10(rough)));
    double step = 10 * power;
    for (double part : STEPS) {
      if (part * power >= rough * 0.999) {
        step = part * power;
        break;
      }
    }
    List<Double> at = new ArrayList<>();
    List<String> labels = new ArrayList<>();
    double first = Math.ceil(low / step - 1e-9);
    for (int i = 0; i < MOST && (first + i) * step <= high + 1e-9 * step; i++) {
      at.add((first + i) * step);
      labels.add(label((first + i) * step, step));
    }
    return new Ticks(low, high, false, at, labels);
  }

  private static Ticks logarithmic(double low, double high, int wanted) {
    int first = (int) Math.ceil(Math.log10(low) - 1e-9);
    int last = (int) Math.floor(Math.log10(high) + 1e-9);
    List<Double> at = new ArrayList<>();
    List<String> labels = new ArrayList<>();
    if (last - first < 1) {
      // Not two powers of ten in it: numbers between them.
      for (int power = first - 1; power <= last; power++) {
        for (int digit : new int[] {1, 2, 5}) {
          double value = digit * Math.pow(10, power);
          if (value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9)) {
            at.add(value);
            labels.add(label(value, value));
          }
        }
      }
      return at.size() > 2 ? new Ticks(low, high, true, at, labels) : asIfLinear(low, high, wanted);
    }
    int every = Math.max(1, (last - first + wanted) / Math.max(1, wanted));
    for (int power = first; power <= last; power += every) {
      double value = Math.pow(10, power);
      at.add(value);
      labels.add(label(value, value));
    }
    return new Ticks(low, high, true, at, labels);
  }

  private static Ticks asIfLinear(double low, double high, int wanted) {
    Ticks linear = linear(low, high, wanted);
    return new Ticks(low, high, true, linear.at, linear.labels);
  }

  private static String label(double value, double step) {
    double size = Math.abs(value);
    if (size < 1e-9 * step) {
      return "0";
    }
    if (size >= 1e6 || step < 1e-4) {
      return String.format(Locale.ROOT, "%.3g", value)
          .replaceAll("\\.?0+e", "e")
          .replaceAll("e([+-])0?", "e$1")
          .replace("e+", "e");
    }
    int decimals = 0;
    while (decimals < 6
        && Math.abs(step * Math.pow(10, decimals) % 1) > 1e-6
        && Math.abs(step * Math.pow(10, decimals) % 1) < 1 - 1e-6) {
      decimals++;
    }
    String text = String.format(Locale.ROOT, "%,." + decimals + "f", value);
    return value >= 10_000 ? text : text.replace(",", "");
  }

  /** How far along the axis a value stands, 0 to 1 between its ends. */
  double share(double value) {
    return log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
  }

  boolean canShow(double value) {
    return Math.abs(value) <= LARGEST && (!log || value > 0);
  }
}
