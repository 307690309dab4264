package dev.grapevine.app.report;

import dev.grapevine.UserException;
import dev.grapevine.app.console.Texts;
import dev.grapevine.app.topology.GraphLayout;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.results.LinkTraffic;
import dev.grapevine.results.SavedRun;
import dev.grapevine.settings.SettingException;
import dev.grapevine.topology.Graph;
import dev.grapevine.topology.SpectralGap;
import dev.grapevine.topology.TopologyContext;
import dev.grapevine.topology.TopologyFacts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The graph of a run's first round: where to draw it and what there is to know about it. */
final class GraphData {

  /** With more edges than this, a picture shows nothing and a page grows large. */
  private static final int MOST_EDGES = 60_000;

  /** Longest paths and gaps take time that grows with the square of the nodes. */
  private static final int MOST_NODES_FOR_PATHS = 5_000;

  private GraphData() {}

  static Map<String, Object> of(Graph graph, SavedRun run) {
    GraphLayout layout = GraphLayout.of(graph, GraphLayout.Style.AUTO);
    List<Integer> edges = edges(graph);
    long all = graph.edges();
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("nodes", graph.nodes());
    data.put("x", rounded(layout.x()));
    data.put("y", rounded(layout.y()));
    data.put("edges", edges);
    List<List<String>> facts = facts(graph, run);
    traffic(graph, run)
        .ifPresent(bytes -> {
          data.put("traffic", bytes);
          // While a run goes, the picture is kept up to date and this would not be.
          if (!run.outcome().equals(SavedRun.RUNNING)) {
            facts.add(List.of("sent over a link", range(bytes)));
          }
        });
    if (all > MOST_EDGES) {
      facts.add(List.of("drawn", "the first %,d edges".formatted(MOST_EDGES)));
    }
    data.put("facts", facts);
    return data;
  }

  /** The ends of the edges that are drawn, one after the other. */
  private static List<Integer> edges(Graph graph) {
    List<Integer> edges = new ArrayList<>();
    for (int node = 0; node < graph.nodes() && edges.size() < 2 * MOST_EDGES; node++) {
      for (int peer : graph.targets(node)) {
        if (graph.isDirected() || node < peer) {
          edges.add(node);
          edges.add(peer);
        }
      }
    }
    return edges;
  }

  private static String range(long[] bytes) {
    String least = Texts.bytes(Arrays.stream(bytes).min().orElse(0));
    String most = Texts.bytes(Arrays.stream(bytes).max().orElse(0));
    return least.equals(most) ? most : least + " to " + most;
  }

  /** Bytes that went over each edge, in both directions, where they were counted. */
  static Optional<long[]> traffic(Graph graph, SavedRun run) {
    List<Integer> edges = edges(graph);
    return run.links()
        .map(links -> {
          Map<Long, Long> byPair = links.byPair();
          long[] bytes = new long[edges.size() / 2];
          Arrays.setAll(
              bytes,
              edge ->
                  byPair.getOrDefault(
                      LinkTraffic.pair(edges.get(2 * edge), edges.get(2 * edge + 1)), 0L));
          return bytes;
        });
  }

  private static double[] rounded(double[] places) {
    double[] rounded = new double[places.length];
    for (int i = 0; i < places.length; i++) {
      rounded[i] = Math.round(places[i] * 1e4) / 1e4;
    }
    return rounded;
  }

  private static List<List<String>> facts(Graph graph, SavedRun run) {
    List<List<String>> facts = new ArrayList<>();
    String kind = run.settings().get("topology.kind");
    if (kind != null) {
      facts.add(List.of("kind", kind));
    }
    facts.add(List.of("nodes", String.format(Locale.ROOT, "%,d", graph.nodes())));
    String edges = String.format(Locale.ROOT, "%,d", graph.edges());
    facts.add(List.of(graph.isDirected() ? "edges, one way" : "edges", edges));
    facts.add(List.of("degree", degree(graph)));
    boolean small = graph.nodes() <= MOST_NODES_FOR_PATHS;
    int diameter = small ? graph.diameter() : graph.isConnected() ? 0 : -1;
    facts.add(List.of("connected", diameter < 0 ? "no: some nodes never hear from others" : "yes"));
    if (diameter >= 0 && small) {
      facts.add(List.of("diameter", Integer.toString(diameter)));
    }
    if (!small) {
      facts.add(List.of("diameter, spectral gap", "not computed for so many nodes"));
      return facts;
    }
    mixing(run)
        .ifPresent(mixing -> {
          facts.add(List.of("spectral gap", gap(mixing.gap())));
          mixing
              .smallestEigenvalue()
              .map(least -> String.format(Locale.ROOT, "%.4f", least.value()))
              .ifPresent(least -> facts.add(List.of("smallest eigenvalue", least)));
          if (mixing.period() > 1) {
            facts.add(
                List.of(
                    "over a cycle",
                    gap(mixing.gapOfPeriod()) + " in " + mixing.period() + " rounds"));
          } else if (mixing.period() == 0) {
            facts.add(List.of("changes", "yes; this is the first round"));
          }
          facts.add(
              List.of(
                  "doubly stochastic",
                  mixing.doublyStochastic()
                      ? "yes: mixing keeps the mean"
                      : "no: mixing shifts the mean"));
        });
    return facts;
  }

  private static String degree(Graph graph) {
    int fewest = Integer.MAX_VALUE;
    int most = 0;
    long sum = 0;
    for (int node = 0; node < graph.nodes(); node++) {
      int degree = graph.targets(node).length;
      fewest = Math.min(fewest, degree);
      most = Math.max(most, degree);
      sum += degree;
    }
    return fewest == most
        ? Integer.toString(most)
        : String.format(
            Locale.ROOT, "%d to %d, mean %.1f", fewest, most, (double) sum / graph.nodes());
  }

  private static String gap(SpectralGap gap) {
    String value = String.format(Locale.ROOT, gap.value() < 1e-3 ? "%.3g" : "%.4f", gap.value());
    return gap.exact() ? value : "below " + value;
  }

  /** The weights are not recorded but follow from the experiment, where it can still be read. */
  private static Optional<TopologyFacts> mixing(SavedRun run) {
    try {
      Path folder =
          Path.of(run.provenance().map(json -> json.path("folder").asString("")).orElse(""));
      Experiment experiment =
          Experiment.parse(Files.readString(run.directory().experimentFile()), folder);
      TopologyContext context =
          new TopologyContext(experiment.nodes().count(), experiment.seed(), folder);
      return Optional.of(TopologyFacts.of(experiment.topology().create(context), 0));
    } catch (IOException | UserException | SettingException notToBeHad) {
      return Optional.empty();
    }
  }
}
