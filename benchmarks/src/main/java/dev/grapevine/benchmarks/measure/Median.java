package dev.grapevine.benchmarks.measure;

import java.util.Arrays;

/** The middle of several readings, which one bad reading does not move. */
public final class Median {

  private Median() {}

  public static double of(double... readings) {
    double[] sorted = readings.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /** Of the later half: the compiler is at work in the first. */
  public static double ofLate(double... readings) {
    return of(Arrays.copyOfRange(readings, readings.length / 2, readings.length));
  }
}
