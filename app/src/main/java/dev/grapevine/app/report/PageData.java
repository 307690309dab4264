package dev.grapevine.app.report;

import dev.grapevine.app.console.Texts;
import dev.grapevine.results.Axis;
import dev.grapevine.results.Curve;
import dev.grapevine.results.HolmCorrection;
import dev.grapevine.results.Metrics;
import dev.grapevine.results.PairedTest;
import dev.grapevine.results.SavedRun;
import dev.grapevine.results.SeedGroup;
import dev.grapevine.results.Spread;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Everything that the page shows, as a JSON value. Curves are those of groups of runs that differ
 * in their seed only; details are given of the first run of each group, so that the page stays
 * small.
 */
public final class PageData {

  private final List<SeedGroup> groups;

  private PageData(List<SeedGroup> groups) {
    this.groups = groups;
  }

  /** Of runs that are over, or of what runs that still go have recorded until now. */
  public static Map<String, @Nullable Object> of(List<SavedRun> runs) {
    return new PageData(SeedGroup.of(runs)).all(false);
  }

  /** Of a run that goes: all but the curves, which are sent as they grow, and the graph. */
  public static Map<String, @Nullable Object> live(SavedRun run) {
    return new PageData(SeedGroup.of(List.of(run))).all(true);
  }

  /** The graph of a run's first round, laid out, with what there is to know about it. */
  public static Optional<Map<String, Object>> graph(SavedRun run) {
    return run.topology().map(graph -> GraphData.of(graph, run));
  }

  /** Whether the page shows a metric's value of every single node. */
  public static boolean isShownByNode(String metric) {
    return RunDetail.COLUMNS.containsValue(metric);
  }

  /** Bytes of the edges of {@link #graph}, in their order, once a run has ended. */
  public static Optional<long[]> linkTraffic(SavedRun run) {
    return run.topology().flatMap(graph -> GraphData.traffic(graph, run));
  }

  private Map<String, @Nullable Object> all(boolean live) {
    List<SavedRun> runs = groups.stream().flatMap(group -> group.runs().stream()).toList();
    Map<String, @Nullable Object> page = new LinkedHashMap<>();
    page.put(
        "title", groups.size() == 1 ? groups.getFirst().runs().getFirst().name() : "Comparison");
    page.put("subtitle", subtitle(runs));
    page.put("live", live);
    page.put("virtual", runs.stream().allMatch(PageData::isSimulated));
    page.put("tiles", live ? List.of() : tiles(runs));
    page.put("bands", bands());
    page.put("groups", groups.stream().map(group -> group(group, live)).toList());
    page.put("settings", live ? List.of() : settings());
    page.put("measure", SeedGroup.measure(groups).endsWith("r2") ? "R²" : "accuracy");
    page.put("runs", rows());
    page.put("differences", differences());
    page.put("details", details(!live));
    return page;
  }

  private static String subtitle(List<SavedRun> runs) {
    Map<String, String> settings = runs.getFirst().settings();
    if (runs.size() > 1) {
      return "%d runs, made with Grapevine".formatted(runs.size());
    }
    String[] keys = {"nodes.count", "topology.kind", "data.set", "model.kind", "sharing.kind"};
    if (!Arrays.stream(keys).allMatch(settings::containsKey)) {
      return "A run of Grapevine";
    }
    return "%s nodes on a %s topology learn %s with the model %s and share by %s"
        .formatted((Object[]) Arrays.stream(keys).map(settings::get).toArray(String[]::new));
  }

  private static boolean isSimulated(SavedRun run) {
    return run.settings().getOrDefault("runtime.kind", "").equals("simulated");
  }

  private List<List<String>> tiles(List<SavedRun> runs) {
    if (runs.size() > 1) {
      long done = runs.stream().filter(run -> run.outcome().equals("done")).count();
      return List.of(
          List.of(Integer.toString(runs.size()), "runs"),
          List.of(Integer.toString(groups.size()), "different settings"),
          List.of(Long.toString(done), "came to their end"));
    }
    SavedRun run = runs.getFirst();
    List<List<String>> tiles = new ArrayList<>();
    tiles.add(List.of(run.outcome(), "outcome"));
    Spread accuracy = last(run, Metrics.TEST_ACCURACY);
    if (accuracy.count() > 0) {
      tiles.add(
          List.of(
              Texts.percent(accuracy.mean()),
              String.format(
                  Locale.ROOT,
                  "final accuracy, ± %.1f (std) over %d nodes",
                  100 * accuracy.deviation(),
                  accuracy.count())));
    }
    Spread loss = last(run, Metrics.TEST_LOSS);
    if (loss.count() > 0) {
      tiles.add(List.of(String.format(Locale.ROOT, "%.3f", loss.mean()), "final test loss"));
    }
    Spread sent = last(run, Metrics.BYTES_SENT);
    if (sent.count() > 0) {
      tiles.add(List.of(Texts.bytes(sent.mean()), "sent per node"));
    }
    if (run.settings().containsKey("rounds")) {
      tiles.add(List.of(run.settings().get("rounds"), "rounds"));
    }
    tiles.add(List.of(duration(run), "duration"));
    return tiles;
  }

  private static String duration(SavedRun run) {
    return summary(run, "wall_seconds")
        .map(seconds -> Texts.duration(Duration.ofMillis((long) (1e3 * seconds))))
        .orElse("–");
  }

  private static Optional<Double> summary(SavedRun run, String key) {
    return run.summary()
        .map(json -> json.path(key))
        .filter(JsonNode::isNumber)
        .map(JsonNode::asDouble);
  }

  private static Spread last(SavedRun run, String metric) {
    return run.metric(metric)
        .map(column -> column.spread(column.rounds() - 1))
        .orElse(Spread.EMPTY);
  }

  private String bands() {
    boolean single = groups.stream().anyMatch(group -> group.runs().size() == 1);
    boolean several = groups.stream().anyMatch(group -> group.runs().size() > 1);
    return "Lines are means over the nodes; bands are the 95 % confidence interval of the mean over "
        + (single && several
            ? "seeds, or over the nodes of a single run."
            : several ? "seeds." : "the nodes.");
  }

  private Map<String, Object> group(SeedGroup group, boolean live) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("label", group.label());
    Map<String, Object> curves = new LinkedHashMap<>();
    if (!live) {
      TreeSet<String> metrics = new TreeSet<>();
      group.runs().forEach(run -> metrics.addAll(run.metrics()));
      metrics.removeIf(metric -> metric.startsWith("seconds_"));
      metrics.forEach(metric -> curves.put(metric, curve(group, metric)));
    }
    json.put("curves", curves);
    return json;
  }

  private static Map<String, Object> curve(SeedGroup group, String metric) {
    Curve byRound = group.curve(metric, Axis.ROUNDS);
    int length = byRound.points().size();
    @Nullable Double[] low = new @Nullable Double[length];
    @Nullable Double[] high = new @Nullable Double[length];
    for (int i = 0; i < length; i++) {
      Curve.Point point = byRound.points().get(i);
      double[] band = band(point.y());
      low[i] = number(band[0]);
      high[i] = number(band[1]);
    }
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("round", byRound.points().stream().map(point -> point.round() + 1).toList());
    json.put("time", xOf(group.curve(metric, Axis.TIME), byRound));
    json.put("bytes", xOf(group.curve(metric, Axis.BYTES), byRound));
    json.put("mean", byRound.points().stream().map(p -> number(p.y().mean())).toArray());
    json.put("low", low);
    json.put("high", high);
    return json;
  }

  /** The 95 % confidence interval of the mean; of fewer than two values nothing can be said. */
  public static double[] band(Spread spread) {
    double half = spread.confidence95();
    return new double[] {spread.mean() - half, spread.mean() + half};
  }

  private static @Nullable Double[] xOf(Curve curve, Curve byRound) {
    Map<Integer, Double> x = new HashMap<>();
    curve.points().forEach(point -> x.put(point.round(), point.x()));
    return byRound.points().stream()
        .map(point -> number(x.getOrDefault(point.round(), Double.NaN)))
        .toArray(Double[]::new);
  }

  /** JSON has no NaN; what is not known is null. */
  public static @Nullable Double number(double value) {
    return Double.isFinite(value) ? value : null;
  }

  /** One row for each group: mean and interval, and how it differs from the first. */
  private List<List<String>> settings() {
    String metric = SeedGroup.measure(groups);
    SeedGroup first = groups.getFirst();
    List<PairedTest> tests =
        groups.stream().skip(1).map(group -> group.compare(first, metric)).toList();
    double[] p = HolmCorrection.of(tests.stream().mapToDouble(PairedTest::p).toArray());
    List<List<String>> rows = new ArrayList<>();
    for (int i = 0; i < groups.size(); i++) {
      SeedGroup group = groups.get(i);
      List<String> row = new ArrayList<>();
      row.add(group.label());
      row.add(Integer.toString(group.runs().size()));
      row.add(percent(Spread.of(group.last(metric))));
      row.add(percent(Spread.of(group.highest(metric))));
      double sent = Spread.of(group.last(Metrics.BYTES_SENT)).mean();
      row.add(Double.isNaN(sent) ? "–" : Texts.bytes(sent));
      PairedTest test = i == 0 ? null : tests.get(i - 1);
      row.add(
          test == null || test.pairs() == 0
              ? "–"
              : String.format(Locale.ROOT, "%+.2f", 100 * test.difference()));
      row.add(test == null || test.pairs() < 2 ? "–" : verdict(p[i - 1]));
      rows.add(row);
    }
    return rows;
  }

  private static String verdict(double p) {
    String chance = p < 1e-4 ? "p < 0.0001" : String.format(Locale.ROOT, "p = %.4f", p);
    return (p < 0.05 ? "significant, " : "not significant, ") + chance;
  }

  private static String percent(Spread spread) {
    if (spread.count() == 0) {
      return "–";
    }
    String mean = String.format(Locale.ROOT, "%.2f", 100 * spread.mean());
    return spread.count() < 2
        ? mean
        : mean + String.format(Locale.ROOT, " ± %.2f", 100 * spread.confidence95());
  }

  private List<Map<String, @Nullable Object>> rows() {
    List<Map<String, @Nullable Object>> rows = new ArrayList<>();
    for (int group = 0; group < groups.size(); group++) {
      for (SavedRun run : groups.get(group).runs()) {
        Map<String, @Nullable Object> row = new LinkedHashMap<>();
        row.put("group", group);
        row.put("seed", run.seed().isPresent() ? run.seed().getAsLong() : null);
        row.put("outcome", run.outcome());
        row.put("accuracy", number(last(run, Metrics.TEST_ACCURACY).mean()));
        row.put("sent", number(last(run, Metrics.BYTES_SENT).mean()));
        row.put("duration", duration(run));
        row.put("path", run.directory().path().toString());
        rows.add(row);
      }
    }
    return rows;
  }

  private List<List<String>> differences() {
    List<List<String>> rows = new ArrayList<>();
    SeedGroup.differences(groups.stream().map(group -> group.runs().getFirst()).toList())
        .forEach((key, values) -> {
          List<String> row = new ArrayList<>(List.of(key));
          row.addAll(values);
          rows.add(row);
        });
    return rows;
  }

  private List<Map<String, @Nullable Object>> details(boolean drawsGraph) {
    // A layout takes a second for a thousand nodes, and most groups have the same graph.
    Map<Object, Optional<Map<String, Object>>> graphs = new HashMap<>();
    List<Map<String, @Nullable Object>> details = new ArrayList<>();
    for (SeedGroup group : groups) {
      SavedRun first = group.runs().getFirst();
      String seed = first.seed().isPresent() ? ", seed " + first.seed().getAsLong() : "";
      Map<String, @Nullable Object> detail = RunDetail.of(first, group.label() + seed);
      Optional<Map<String, Object>> graph =
          drawsGraph
              ? graphs.computeIfAbsent(graphKey(first), key -> graph(first))
              : Optional.empty();
      detail.put("graph", graph.orElse(null));
      details.add(detail);
    }
    return details;
  }

  /** Equal for runs with equal graphs and weights. */
  private static Object graphKey(SavedRun run) {
    List<Object> key = new ArrayList<>();
    run.settings()
        .forEach((name, value) -> {
          if (name.startsWith("topology.")) {
            key.add(name + "=" + value);
          }
        });
    run.topology()
        .ifPresent(graph -> {
          for (int node = 0; node < graph.nodes(); node++) {
            key.add(Arrays.hashCode(graph.targets(node)));
          }
        });
    return key;
  }
}
