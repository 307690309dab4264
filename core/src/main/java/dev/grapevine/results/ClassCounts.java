package dev.grapevine.results;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How many training samples of each class each node holds: {@code data.csv}.
 *
 * @param counts by node, then by class; a single column for data without classes
 */
public record ClassCounts(int[][] counts) {

  private static final String HEADER = "node,class,samples\n";

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
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    List<int[]> rows = new ArrayList<>();
    int nodes = 0;
    int classes = 0;
    try {
      String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
      for (String line : text.substring(0, text.lastIndexOf('\n') + 1).lines().toList()) {
        if (line.matches("\\d{1,7},\\d{1,7},\\d{1,9}")) {
          String[] fields = line.split(",", -1);
          int[] row = {
            Integer.parseInt(fields[0]), Integer.parseInt(fields[1]), Integer.parseInt(fields[2])
          };
          rows.add(row);
          nodes = Math.max(nodes, row[0] + 1);
          classes = Math.max(classes, row[1] + 1);
        }
      }
    } catch (IOException unreadable) {
      return Optional.empty();
    }
    if (rows.isEmpty() || (long) nodes * classes > MOST_CELLS) {
      return Optional.empty();
    }
    int[][] counts = new int[nodes][classes];
    rows.forEach(row -> counts[row[0]][row[1]] = row[2]);
    return Optional.of(new ClassCounts(counts));
  }
}
