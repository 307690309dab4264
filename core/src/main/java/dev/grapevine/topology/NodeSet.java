package dev.grapevine.topology;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** Some of the nodes, written {@code 0-3,7}, or {@code all}. */
public final class NodeSet {

  /** More nodes than any run has; what is written beyond is a mistake and must not use memory. */
  public static final int MOST = 1 << 24;

  private static final Pattern RANGE = Pattern.compile("(\\d{1,9})(?:\\s*-\\s*(\\d{1,9}))?");

  private final BitSet nodes;
  private final String text;

  private NodeSet(BitSet nodes, String text) {
    this.nodes = nodes;
    this.text = text;
  }

  /** The nodes from {@code from} to {@code to}, both included. */
  public static NodeSet range(int from, int to) {
    BitSet nodes = new BitSet(to + 1);
    nodes.set(from, to + 1);
    return of(nodes);
  }

  /** The nodes whose bits are set. */
  public static NodeSet of(BitSet nodes) {
    List<String> parts = new ArrayList<>();
    int from = nodes.nextSetBit(0);
    while (from >= 0) {
      int end = nodes.nextClearBit(from);
      parts.add(end == from + 1 ? String.valueOf(from) : from + "-" + (end - 1));
      from = nodes.nextSetBit(end);
    }
    return new NodeSet((BitSet) nodes.clone(), String.join(",", parts));
  }

  /**
   * Reads a set of nodes, all below {@code count}.
   *
   * @throws IllegalArgumentException saying what is wrong
   */
  public static NodeSet parse(String text, int count) {
    BitSet nodes = new BitSet();
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

  /** Whether some node is in both sets. */
  public boolean overlaps(NodeSet other) {
    return nodes.intersects(other.nodes);
  }

  /** How many nodes it holds. */
  public int size() {
    return nodes.cardinality();
  }

  /** Its nodes, in order. */
  public IntStream stream() {
    return nodes.stream();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof NodeSet set && set.nodes.equals(nodes);
  }

  @Override
  public int hashCode() {
    return nodes.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }
}
