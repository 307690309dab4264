package dev.grapevine.app.topology;

import java.util.Arrays;

/** Moves points apart that lie on or nearly on each other, so that no node hides another. */
final class Spacing {

  private static final int PASSES = 20;

  private Spacing() {}

  /**
   * Pushes points apart until most are {@code least} from each other. Points are gone through from
   * left to right, so a pass takes little more time than sorting them.
   */
  static void apart(double[] x, double[] y, double least) {
    for (int pass = 0; pass < PASSES; pass++) {
      if (!push(x, y, least)) {
        return;
      }
    }
  }

  /** One pass from left to right; whether something moved. */
  private static boolean push(double[] x, double[] y, double least) {
    Integer[] order = new Integer[x.length];
    Arrays.setAll(order, i -> i);
    Arrays.sort(order, (a, b) -> Double.compare(x[a], x[b]));
    boolean moved = false;
    for (int a = 0; a < order.length; a++) {
      int i = order[a];
      // Of a crowd, only the next few: the rest follow in later passes.
      for (int b = a + 1; b < order.length && b <= a + 400; b++) {
        int j = order[b];
        if (x[j] - x[i] > least) {
          break;
        }
        moved |= pushPair(x, y, i, j, least);
      }
    }
    return moved;
  }

  private static boolean pushPair(double[] x, double[] y, int i, int j, double least) {
    double dx = x[j] - x[i];
    double dy = y[j] - y[i];
    double distance = Math.hypot(dx, dy);
    if (distance >= 0.98 * least) {
      return false;
    }
    if (distance < 1e-9) {
      // Points on each other leave in directions of their own.
      dx = Math.sin(2.4 * j);
      dy = Math.cos(2.4 * j);
      distance = 1e-9 + Math.hypot(dx, dy);
      double step = least / 2 / distance;
      x[j] += step * dx;
      y[j] += step * dy;
      return true;
    }
    double push = 0.4 * (least - distance) / distance;
    x[i] -= push * dx;
    y[i] -= push * dy;
    x[j] += push * dx;
    y[j] += push * dy;
    return true;
  }
}
