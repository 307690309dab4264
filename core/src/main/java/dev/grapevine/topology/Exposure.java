package dev.grapevine.topology;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.TreeSet;

/**
 * Whose model some nodes that work together could solve for, though each hears only weighted sums
 * of its neighbours. A coalition C knows its own models and sees, of all others, the rows W[C,
 * others] of the mixing matrix; a node j is exposed if e_j lies in the span of these rows. Two
 * receivers whose senders differ in j alone are an example. Looks at one round; over several rounds
 * more can be solved for.
 */
public final class Exposure {

  /** More coalitions than this take too long to look at. */
  public static final long MOST_COALITIONS = 20_000_000;

  private static final double TOLERANCE = 1e-9;

  /**
   * Somebody is exposed.
   *
   * @param node who
   * @param coalition to whom, the first that was found
   */
  public record Exposed(int node, List<Integer> coalition) {}

  private final Topology topology;
  private final int round;

  public Exposure(Topology topology, int round) {
    this.topology = topology;
    this.round = round;
  }

  /** How many coalitions of a size there are, saturated. */
  public static long coalitions(int nodes, int size) {
    double count = 1;
    for (int i = 0; i < size; i++) {
      count = count * (nodes - i) / (i + 1);
    }
    return count > Long.MAX_VALUE ? Long.MAX_VALUE : Math.round(count);
  }

  /** All who are exposed to a coalition of exactly this size, by rising number. */
  public List<Exposed> to(int size) {
    List<Exposed> exposed = new ArrayList<>();
    BitSet known = new BitSet();
    int[] coalition = new int[size];
    Arrays.setAll(coalition, i -> i);
    if (size > topology.nodes()) {
      return exposed;
    }
    do {
      for (int node : solvable(coalition)) {
        if (!known.get(node)) {
          known.set(node);
          exposed.add(new Exposed(node, Arrays.stream(coalition).boxed().toList()));
        }
      }
    } while (next(coalition, topology.nodes()));
    exposed.sort((a, b) -> Integer.compare(a.node, b.node));
    return exposed;
  }

  private static boolean next(int[] coalition, int nodes) {
    int size = coalition.length;
    for (int i = size - 1; i >= 0; i--) {
      if (coalition[i] < nodes - size + i) {
        coalition[i]++;
        for (int j = i + 1; j < size; j++) {
          coalition[j] = coalition[j - 1] + 1;
        }
        return true;
      }
    }
    return false;
  }

  /** Whose models these nodes together can solve for, besides their own. */
  public List<Integer> solvable(int[] coalition) {
    TreeSet<Integer> senders = new TreeSet<>();
    for (int member : coalition) {
      for (int sender : topology.neighbours(member, round).hearsFrom()) {
        senders.add(sender);
      }
    }
    for (int member : coalition) {
      senders.remove(member);
    }
    Integer[] columns = senders.toArray(Integer[]::new);
    double[][] rows = new double[coalition.length][columns.length];
    for (int i = 0; i < coalition.length; i++) {
      Neighbourhood heard = topology.neighbours(coalition[i], round);
      for (int j = 0; j < heard.hearsFrom().length; j++) {
        int column = Arrays.binarySearch(columns, heard.hearsFrom()[j]);
        if (column >= 0) {
          rows[i][column] = heard.weights()[j];
        }
      }
    }
    reduce(rows, columns.length);
    List<Integer> solved = new ArrayList<>();
    for (double[] row : rows) {
      int only = -1;
      int count = 0;
      for (int column = 0; column < row.length; column++) {
        if (Math.abs(row[column]) > TOLERANCE) {
          only = column;
          count++;
        }
      }
      if (count == 1) {
        solved.add(columns[only]);
      }
    }
    return solved;
  }

  /** To reduced row echelon form: e_j is in the span if and only if it is one of the rows. */
  private static void reduce(double[][] rows, int columns) {
    int done = 0;
    for (int column = 0; column < columns && done < rows.length; column++) {
      int best = done;
      for (int row = done + 1; row < rows.length; row++) {
        best = Math.abs(rows[row][column]) > Math.abs(rows[best][column]) ? row : best;
      }
      double pivot = rows[best][column];
      if (Math.abs(pivot) > TOLERANCE) {
        double[] swapped = rows[done];
        rows[done] = rows[best];
        rows[best] = swapped;
        for (int other = 0; other < columns; other++) {
          rows[done][other] /= pivot;
        }
        for (int row = 0; row < rows.length; row++) {
          double factor = rows[row][column];
          if (row != done && factor != 0) {
            for (int other = 0; other < columns; other++) {
              rows[row][other] -= factor * rows[done][other];
            }
          }
        }
        done++;
      }
    }
  }
}
