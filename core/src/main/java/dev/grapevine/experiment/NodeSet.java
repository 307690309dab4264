package dev.grapevine.experiment;

import java.util.BitSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Some of the nodes, written {@code 0-3,7}, or {@code all}. */
public final class NodeSet {

  private static final Pattern RANGE = Pattern.compile("(\\d{1,9})(?:\\s*-\\s*(\\d{1,9}))?");

  private final BitSet nodes;
  private final String text;

  private NodeSet(BitSet nodes, String text) {
    this.nodes = nodes;
    this.text = text;
  }

  /**
   * Reads a set of nodes, all below {@code count}.
   *
   * @throws IllegalArgumentException saying what is wrong
   */
  public static NodeSet parse(String text, int count) {
    BitSet nodes = new BitSet(count);
    if (text.strip().equals("all")) {
      nodes.set(0, count);
      return new NodeSet(nodes, text);
    }
    for (String part : text.split(",", -1)) {
      Matcher range = RANGE.matcher(part.strip());
      if (!range.matches()) {
        throw new IllegalArgumentException(
            "\"%s\" is no node or range of nodes; write a list such as \"0-3,7\", or \"all\""
                .formatted(part.strip()));
      }
      int from = Integer.parseInt(range.group(1));
      int to = range.group(2) == null ? from : Integer.parseInt(range.group(2));
      if (to < from) {
        throw new IllegalArgumentException(
            "the range %s runs backwards; write %d-%d".formatted(part.strip(), to, from));
      }
      if (to >= count) {
        throw new IllegalArgumentException(
            "there is no node %d: nodes are numbered from 0 to %d".formatted(to, count - 1));
      }
      nodes.set(from, to + 1);
    }
    return new NodeSet(nodes, text);
  }

  public boolean contains(int node) {
    return nodes.get(node);
  }

  /** How many nodes it holds. */
  public int size() {
    return nodes.cardinality();
  }

  @Override
  public String toString() {
    return text;
  }
}
