package dev.grapevine.topology;

import dev.grapevine.settings.SettingException;

/** A rectangle of nodes, numbered row by row. */
record Lattice(int rows, int columns) {

  /** The rectangle of {@code rows} rows that holds all nodes, or the most nearly square one. */
  static Lattice of(int nodes, int rows) {
    if (rows == 0) {
      rows = (int) Math.sqrt(nodes);
      while (nodes % rows != 0) {
        rows--;
      }
    }
    SettingException.require(
        rows > 0 && nodes % rows == 0,
        "rows",
        "rows must divide the number of nodes: rows=" + rows + ", nodes=" + nodes);
    return new Lattice(rows, nodes / rows);
  }

  Graph graph(boolean joined) {
    Graph.Builder graph = Graph.undirected(rows * columns);
    for (int row = 0; row < rows; row++) {
      for (int column = 0; column < columns; column++) {
        int node = row * columns + column;
        if (joined || column + 1 < columns) {
          graph.add(node, row * columns + (column + 1) % columns);
        }
        if (joined || row + 1 < rows) {
          graph.add(node, (row + 1) % rows * columns + column);
        }
      }
    }
    return graph.build();
  }
}
