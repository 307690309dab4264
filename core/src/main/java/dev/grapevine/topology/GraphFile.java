package dev.grapevine.topology;

import dev.grapevine.FileProblem;
import dev.grapevine.UserException;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Graphs as text, in DecentralizePy's two formats. The first line is the number of nodes. Then
 * either every line is an edge, {@code x y}, or line i lists the neighbours of node i. In a
 * directed graph, x sends to y, and line i lists those that i sends to. What follows a {@code #} is
 * a comment.
 */
public final class GraphFile {

  /** What the lines after the first hold. */
  public enum Format {
    /** One edge a line. */
    EDGES,
    /** One node's neighbours a line. */
    ADJACENCY
  }

  private final Path file;
  private final List<String> lines;
  private int line;

  private GraphFile(Path file, List<String> lines) {
    this.file = file;
    this.lines = lines;
  }

  /** Reads a graph; a {@link UserException} names the file and line of what is wrong. */
  public static Graph read(Path file, Format format, boolean directed) {
    try {
      return new GraphFile(file, lines(file)).parse(format, directed);
    } catch (NoSuchFileException e) {
      throw new UserException("there is no graph file " + file + ": check the path", e);
    } catch (MalformedInputException e) {
      throw new UserException(file + " is not a text file: give a graph file", e);
    } catch (IOException e) {
      throw new UserException("cannot read graph file " + file + ": " + FileProblem.reason(e), e);
    }
  }

  /** Some editors begin a file with a mark of the byte order, which is no part of its text. */
  private static List<String> lines(Path file) throws IOException {
    String text = Files.readString(file);
    return (text.startsWith("\uFEFF") ? text.substring(1) : text).lines().toList();
  }

  private Graph parse(Format format, boolean directed) {
    int nodes = 0;
    while (nodes == 0 && line < lines.size()) {
      String[] words = nextLine();
      if (words.length == 1) {
        nodes = number(words[0], "the number of nodes", 1, Integer.MAX_VALUE);
      } else if (words.length > 1) {
        throw mistake("the first line must be the number of nodes alone");
      }
    }
    if (nodes == 0) {
      throw new UserException(file + " is empty: the first line must be the number of nodes");
    }
    Graph.Builder graph = directed ? Graph.directed(nodes) : Graph.undirected(nodes);
    if (format == Format.EDGES) {
      parseEdges(graph, nodes);
    } else {
      parseAdjacency(graph, nodes);
    }
    return graph.build();
  }

  private void parseEdges(Graph.Builder graph, int nodes) {
    while (line < lines.size()) {
      String[] words = nextLine();
      if (words.length == 2) {
        add(graph, node(words[0], nodes), node(words[1], nodes));
      } else if (words.length != 0) {
        throw mistake(
            "an edge is two node numbers, as in '0 5'; for a file with a line of neighbours per"
                + " node, set format = \"adjacency\"");
      }
    }
  }

  private void parseAdjacency(Graph.Builder graph, int nodes) {
    for (int node = 0; line < lines.size(); node++) {
      String[] words = nextLine();
      if (node >= nodes && words.length > 0) {
        throw mistake(
            "there are more lines than nodes: nodes=" + nodes + "; correct the first line");
      }
      for (String word : words) {
        add(graph, node, node(word, nodes));
      }
    }
  }

  private void add(Graph.Builder graph, int from, int to) {
    if (from == to) {
      throw mistake("node " + from + " cannot be its own neighbour: remove it");
    }
    graph.add(from, to);
  }

  private String[] nextLine() {
    String text = lines.get(line++);
    int comment = text.indexOf('#');
    text = (comment < 0 ? text : text.substring(0, comment)).strip();
    return text.isEmpty() ? new String[0] : text.split("[\\s,]+");
  }

  private int node(String word, int nodes) {
    return number(word, "a node number", 0, nodes - 1);
  }

  private int number(String word, String what, int least, int most) {
    try {
      int number = Integer.parseInt(word);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Told below, together with numbers out of range.
    }
    String range =
        most == Integer.MAX_VALUE ? "at least " + least : "from " + least + " to " + most;
    throw mistake(what + " must be a whole number " + range + ": found '" + word + "'");
  }

  private UserException mistake(String what) {
    return new UserException(String.format(Locale.ROOT, "%s:%d: %s", file, line, what));
  }

  /** Writes the graph as edges; an undirected edge is written once, smaller node first. */
  public static void write(Graph graph, Writer out) throws IOException {
    out.write(graph.nodes() + "\n");
    if (graph.isDirected()) {
      out.write("# directed: the first node sends to the second\n");
    }
    for (int node = 0; node < graph.nodes(); node++) {
      for (int peer : graph.targets(node)) {
        if (graph.isDirected() || node < peer) {
          out.write(node + " " + peer + "\n");
        }
      }
    }
  }
}
