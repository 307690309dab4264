package dev.grapevine.data.partition;

import dev.grapevine.data.DataSet;
import dev.grapevine.random.SplitMix;
import dev.grapevine.settings.SettingException;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/** Steps that several partitioners share. */
final class Deal {

  private Deal() {}

  /** Throws unless every node can have a sample. */
  static void requireEnough(DataSet train, int nodes) {
    if (nodes < 1) {
      throw new SettingException("nodes", "there must be at least one node: nodes=" + nodes);
    }
    if (nodes > train.size()) {
      throw new SettingException(
          "nodes",
          "more nodes than training samples: nodes=%d, samples=%d; use fewer nodes or a larger set"
              .formatted(nodes, train.size()));
    }
  }

  static void requireClasses(DataSet train, String partition) {
    if (train.classes() == 0) {
      throw new SettingException(
          "partition",
          "partition %s needs classes, but set %s has none; use iid, natural, fractions or quantity-skew"
              .formatted(partition, train.name()));
    }
  }

  /** Cuts into {@code parts} consecutive slices whose lengths differ by at most one. */
  static int[][] slices(int[] samples, int parts) {
    int[][] slices = new int[parts][];
    for (int part = 0; part < parts; part++) {
      slices[part] = slice(samples, part, parts);
    }
    return slices;
  }

  /** The {@code part}-th of {@code parts} slices; integer arithmetic, so that none is lost. */
  static int[] slice(int[] samples, int part, int parts) {
    return Arrays.copyOfRange(
        samples, boundary(samples.length, part, parts), boundary(samples.length, part + 1, parts));
  }

  static int sliceLength(int length, int part, int parts) {
    return boundary(length, part + 1, parts) - boundary(length, part, parts);
  }

  private static int boundary(int length, int part, int parts) {
    return (int) ((long) length * part / parts);
  }

  /** Cuts into consecutive slices of the given lengths. */
  static int[][] cut(int[] samples, int[] lengths) {
    int[][] slices = new int[lengths.length][];
    int from = 0;
    for (int i = 0; i < lengths.length; i++) {
      slices[i] = Arrays.copyOfRange(samples, from, from + lengths[i]);
      from += lengths[i];
    }
    return slices;
  }

  /**
   * Whole numbers that add up to {@code total}, each less than one away from its exact {@code
   * share} of it: what is left after rounding down goes to the largest remainders (Hamilton).
   */
  static int[] apportion(int total, double[] shares) {
    int[] parts = new int[shares.length];
    double[] remainders = new double[shares.length];
    int given = 0;
    for (int i = 0; i < shares.length; i++) {
      double exact = shares[i] * total;
      parts[i] = (int) Math.min(total - given, Math.floor(exact));
      remainders[i] = exact - parts[i];
      given += parts[i];
    }
    Integer[] order = new Integer[shares.length];
    Arrays.setAll(order, i -> i);
    Arrays.sort(order, (a, b) -> Double.compare(remainders[b], remainders[a]));
    for (int i = 0; given < total; i = (i + 1) % order.length) {
      parts[order[i]]++;
      given++;
    }
    return parts;
  }

  /** For each class the numbers of its samples, in random order. */
  static int[][] byClass(DataSet train, RandomGenerator random) {
    int[] counts = new int[train.classes()];
    for (int sample = 0; sample < train.size(); sample++) {
      counts[train.label(sample)]++;
    }
    int[][] members = new int[counts.length][];
    Arrays.setAll(members, label -> new int[counts[label]]);
    int[] filled = new int[counts.length];
    for (int sample : SplitMix.permutation(train.size(), random)) {
      int label = train.label(sample);
      members[label][filled[label]++] = sample;
    }
    return members;
  }

  static int[] concatenate(int[]... lists) {
    int length = 0;
    for (int[] list : lists) {
      length += list.length;
    }
    int[] all = new int[length];
    int at = 0;
    for (int[] list : lists) {
      System.arraycopy(list, 0, all, at, list.length);
      at += list.length;
    }
    return all;
  }
}
