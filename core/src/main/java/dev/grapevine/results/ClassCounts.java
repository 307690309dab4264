package dev.grapevine.results;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * How many training samples of each class each node holds: {@code data.csv}.
 *
 * @param counts by node, then by class; a single column for data without classes
 */
public record ClassCounts(int[][] counts) {

  private static final String HEADER = "node,class,samples\n";

  /** More nodes or classes than any run has. */
  private static final int MOST = 9_999_999;

  /** More cells than any run has; a foreign file must not fill the memory. */
  private static final long MOST_CELLS = 1L << 26;

  public int nodes() {
    return counts.length;
  }

  /** The most classes that any node's data knows. */
  public int classes() {
    int most = 0;
    for (int[] ofNode : counts) {
      most = Math.max(most, ofNode.length);
    }
    return most;
  }

  public int samples(int node) {
    int sum = 0;
    for (int count : counts[node]) {
      sum += count;
    }
    return sum;
  }

  /** How many classes a node has samples of. */
  public int classesHeld(int node) {
    int held = 0;
    for (int count : counts[node]) {
      held += count > 0 ? 1 : 0;
    }
    return held;
  }

  /** Classes that a node lacks are left out, but its first, which says that the node is there. */
  String toCsv() {
    StringBuilder csv = new StringBuilder(HEADER);
    for (int node = 0; node < counts.length; node++) {
      for (int label = 0; label < counts[node].length; label++) {
        if (counts[node][label] > 0 || label == 0) {
          csv.append(node).append(',').append(label).append(',').append(counts[node][label]);
          csv.append('\n');
        }
      }
    }
    return csv.toString();
  }

  /** Reads the file; lines that make no sense and a last one without its end are passed over. */
  static Optional<ClassCounts> read(Path file) {
    List<int[]> rows =
        SmallCsv.rows(
            file,
            3,
            line ->
                new int[] {
                  SmallCsv.smallCount(line, 0, MOST),
                  SmallCsv.smallCount(line, 1, MOST),
                  SmallCsv.smallCount(line, 2, Integer.MAX_VALUE)
                });
    int nodes = rows.stream().mapToInt(row -> row[0] + 1).max().orElse(0);
    int classes = rows.stream().mapToInt(row -> row[1] + 1).max().orElse(0);
    if (rows.isEmpty() || (long) nodes * classes > MOST_CELLS) {
      return Optional.empty();
    }
    int[][] counts = new int[nodes][classes];
    rows.forEach(row -> counts[row[0]][row[1]] = row[2]);
    return Optional.of(new ClassCounts(counts));
  }
}
