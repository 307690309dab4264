package dev.grapevine.topology;

import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.settings.SettingException;
import java.nio.file.Path;

/** A graph read from a file, see {@link GraphFile}. */
@Kind(
    name = "file",
    summary = "A graph from a file: the number of nodes, then edges or lists of neighbours.")
public final class FileTopology {

  private FileTopology() {}

  /** Which file, how it is written, how models are mixed. */
  public record Settings(
      @Doc("the graph file, relative to the experiment file") Path path,
      @Doc("edges: 'x y' a line; adjacency: line i lists the neighbours of node i")
          @Default("edges")
          GraphFile.Format format,
      @Doc("whether x sends to y but not y to x") @Default("false") boolean directed,
      MixingWeights mixing) {}

  public static Topology create(Settings settings, TopologyContext context) {
    Path file = context.baseDir().resolve(settings.path());
    Graph graph = GraphFile.read(file, settings.format(), settings.directed());
    SettingException.require(
        graph.nodes() == context.nodes(),
        "path",
        "the graph file has another number of nodes than the experiment: file="
            + graph.nodes()
            + ", nodes="
            + context.nodes()
            + "; change nodes.count or take another file");
    return settings.mixing().over(graph, context);
  }
}
