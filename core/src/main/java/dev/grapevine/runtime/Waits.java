package dev.grapevine.runtime;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;

/** Says in words who waits for whom. */
public final class Waits {

  private static final int LISTED = 20;

  private final List<String> rootCauses = new ArrayList<>();
  private final List<String> others = new ArrayList<>();

  /** {@code node 3} or {@code nodes 3, 7}. */
  public static String nodes(int[] nodes) {
    StringJoiner joiner = new StringJoiner(", ", nodes.length == 1 ? "node " : "nodes ", "");
    for (int node : nodes) {
      joiner.add(Integer.toString(node));
    }
    return joiner.toString();
  }

  /**
   * Adds a waiting node.
   *
   * @param rootCause whether it waits for what cannot come, rather than for one who waits too
   */
  public void add(String wait, boolean rootCause) {
    (rootCause ? rootCauses : others).add(wait);
  }

  /** A few lines, those that explain the others first. */
  public String report() {
    List<String> lines = new ArrayList<>(rootCauses);
    lines.addAll(others);
    int count = lines.size();
    String head =
        String.format(
            Locale.ROOT, "the run is stalled, %d node%s wait:", count, count == 1 ? "" : "s");
    StringJoiner report =
        new StringJoiner(System.lineSeparator() + "  ", head + System.lineSeparator() + "  ", "");
    lines.stream().limit(LISTED).forEach(report::add);
    if (count > LISTED) {
      report.add("and %d more".formatted(count - LISTED));
    }
    return report.toString();
  }
}
