package dev.grapevine.app.report;

import dev.grapevine.app.run.Texts;
import dev.grapevine.results.Axis;
import dev.grapevine.results.Curve;
import dev.grapevine.results.MetricColumn;
import dev.grapevine.results.Metrics;
import dev.grapevine.results.RunGroup;
import dev.grapevine.results.RunResults;
import dev.grapevine.results.Sample;
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

  private final List<RunGroup> groups;

  private PageData(List<RunGroup> groups) {
    this.groups = groups;
  }

  /** Of runs that are over, or of what runs that still go have recorded until now. */
  public static Map<String, @Nullable Object> of(List<RunResults> runs) {
    return new PageData(RunGroup.of(runs)).all(false);
  }

  /** Of a run that goes: all but the curves, which are sent as they grow, and the graph. */
  public static Map<String, @Nullable Object> live(RunResults run) {
    return new PageData(RunGroup.of(List.of(run))).all(true);
  }

  /** The graph of a run's first round, laid out, with what there is to know about it. */
  public static Optional<Map<String, Object>> graph(RunResults run) {
    return run.topology().map(graph -> GraphData.of(graph, run));
  }

  /** Whether the page shows a metric's value of every single node. */
  public static boolean isShownByNode(String metric) {
    return RunDetail.COLUMNS.containsValue(metric);
  }

  /** Bytes of the edges of {@link #graph}, in their order, once a run has ended. */
  public static Optional<long[]> linkTraffic(RunResults run) {
    return run.topology().flatMap(graph -> GraphData.traffic(graph, run));
  }

  private Map<String, @Nullable Object> all(boolean live) {
    List<RunResults> runs = groups.stream().flatMap(group -> group.runs().stream()).toList();
    Map<String, @Nullable Object> page = new LinkedHashMap<>();
    page.put(
        "title", groups.size() == 1 ? groups.getFirst().runs().getFirst().name() : "Comparison");
    page.put("subtitle", subtitle(runs));
    page.put("live", live);
    page.put("virtual", runs.stream().allMatch(PageData::isSimulated));
    page.put("tiles", live ? List.of() : tiles(runs));
    page.put("bands", bands());
    page.put("groups", groups.stream().map(group -> group(group, live)).toList());
    page.put("runs", rows());
    page.put("differences", differences());
    page.put("details", details(!live));
    return page;
  }

  private static String subtitle(List<RunResults> runs) {
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

  private static boolean isSimulated(RunResults run) {
    return run.settings().getOrDefault("runtime.kind", "").equals("simulated");
  }

  private List<List<String>> tiles(List<RunResults> runs) {
    if (runs.size() > 1) {
      long done = runs.stream().filter(run -> run.outcome().equals("done")).count();
      return List.of(
          List.of(Integer.toString(runs.size()), "runs"),
          List.of(Integer.toString(groups.size()), "different settings"),
          List.of(Long.toString(done), "came to their end"));
    }
    RunResults run = runs.getFirst();
    List<List<String>> tiles = new ArrayList<>();
    tiles.add(List.of(run.outcome(), "outcome"));
    Sample accuracy = last(run, Metrics.TEST_ACCURACY);
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
    Sample loss = last(run, Metrics.TEST_LOSS);
    if (loss.count() > 0) {
      tiles.add(List.of(String.format(Locale.ROOT, "%.3f", loss.mean()), "final test loss"));
    }
    Sample sent = last(run, Metrics.BYTES_SENT);
    if (sent.count() > 0) {
      tiles.add(List.of(Texts.bytes(sent.mean()), "sent per node"));
    }
    if (run.settings().containsKey("rounds")) {
      tiles.add(List.of(run.settings().get("rounds"), "rounds"));
    }
    tiles.add(List.of(duration(run), "duration"));
    return tiles;
  }

  private static String duration(RunResults run) {
    return summary(run, "wall_seconds")
        .map(seconds -> Texts.duration(Duration.ofMillis((long) (1e3 * seconds))))
        .orElse("–");
  }

  private static Optional<Double> summary(RunResults run, String key) {
    return run.summary()
        .map(json -> json.path(key))
        .filter(JsonNode::isNumber)
        .map(JsonNode::asDouble);
  }

  private static Sample last(RunResults run, String metric) {
    return run.metric(metric)
        .map(column -> column.sample(column.rounds() - 1))
        .orElse(Sample.EMPTY);
  }

  private String bands() {
    boolean single = groups.stream().anyMatch(group -> group.runs().size() == 1);
    boolean several = groups.stream().anyMatch(group -> group.runs().size() > 1);
    String seeds = "95 % confidence interval of the mean over seeds";
    String nodes = "the middle 80 % of the nodes";
    return "Lines are means over the nodes; bands are "
        + (single && several
            ? nodes + ", or the " + seeds + "."
            : several ? "the " + seeds + "." : nodes + ".");
  }

  private Map<String, Object> group(RunGroup group, boolean live) {
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

  private static Map<String, Object> curve(RunGroup group, String metric) {
    Curve byRound = group.curve(metric, Axis.ROUNDS);
    int length = byRound.points().size();
    @Nullable Double[] low = new @Nullable Double[length];
    @Nullable Double[] high = new @Nullable Double[length];
    for (int i = 0; i < length; i++) {
      Curve.Point point = byRound.points().get(i);
      double[] band = band(group, metric, point);
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

  /** The middle 80 % of the nodes in a single run, the confidence interval over several. */
  private static double[] band(RunGroup group, String metric, Curve.Point point) {
    if (group.runs().size() == 1) {
      MetricColumn column = group.runs().getFirst().metric(metric).orElseThrow();
      return middle(column.values(column.indexUpTo(point.round())));
    }
    double half = point.y().confidence95();
    double mean = point.y().mean();
    return Double.isNaN(half) ? new double[] {mean, mean} : new double[] {mean - half, mean + half};
  }

  /** Where the lowest and the highest tenth of the values end (nearest rank). */
  public static double[] middle(double[] values) {
    double[] sorted =
        Arrays.stream(values).filter(value -> !Double.isNaN(value)).sorted().toArray();
    int cut = (int) Math.round((sorted.length - 1) * 0.1);
    return sorted.length == 0
        ? new double[] {Double.NaN, Double.NaN}
        : new double[] {sorted[cut], sorted[sorted.length - 1 - cut]};
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

  private List<Map<String, @Nullable Object>> rows() {
    List<Map<String, @Nullable Object>> rows = new ArrayList<>();
    for (int group = 0; group < groups.size(); group++) {
      for (RunResults run : groups.get(group).runs()) {
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
    RunGroup.differences(groups.stream().map(group -> group.runs().getFirst()).toList())
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
    for (RunGroup group : groups) {
      RunResults first = group.runs().getFirst();
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
  private static Object graphKey(RunResults run) {
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
