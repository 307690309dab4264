package dev.grapevine.app.report;

import dev.grapevine.app.console.ShellWord;
import dev.grapevine.results.ClassCounts;
import dev.grapevine.results.MetricColumn;
import dev.grapevine.results.Metrics;
import dev.grapevine.results.SavedRun;
import dev.grapevine.topology.Graph;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What the page shows of a single run: topology, data, nodes, provenance. */
final class RunDetail {

  /** What the table of nodes shows: name of the column to metric. */
  static final Map<String, String> COLUMNS = new LinkedHashMap<>();

  static {
    COLUMNS.put("accuracy", Metrics.TEST_ACCURACY);
    COLUMNS.put("loss", Metrics.TEST_LOSS);
    COLUMNS.put("sent", Metrics.BYTES_SENT);
    COLUMNS.put("received", Metrics.BYTES_RECEIVED);
    COLUMNS.put("train", Metrics.SECONDS_TRAIN);
    COLUMNS.put("share", Metrics.SECONDS_SHARE);
    COLUMNS.put("wait", Metrics.SECONDS_WAIT);
    COLUMNS.put("evaluate", Metrics.SECONDS_EVALUATE);
  }

  private RunDetail() {}

  /** All but the picture of the graph. */
  static Map<String, @Nullable Object> of(SavedRun run, String label) {
    Optional<Graph> graph = run.topology();
    Optional<ClassCounts> data = run.data();
    Map<String, @Nullable Object> detail = new LinkedHashMap<>();
    detail.put("label", label);
    detail.put("spread", data.map(RunDetail::spread).orElse(null));
    detail.put("nodes", nodes(run, graph, data));
    detail.put("provenance", provenance(run));
    detail.put(
        "replay", "./grapevine replay " + ShellWord.quote(run.directory().path().toString()));
    detail.put("experiment", experiment(run));
    return detail;
  }

  private static Map<String, Object> spread(ClassCounts data) {
    Map<String, Object> spread = new LinkedHashMap<>();
    spread.put("classes", data.classes());
    spread.put("counts", data.counts());
    int[] samples = new int[data.nodes()];
    int[] held = new int[data.nodes()];
    Arrays.setAll(samples, data::samples);
    Arrays.setAll(held, data::classesHeld);
    String each = range(samples);
    spread.put(
        "text",
        data.classes() == 1
            ? "Each node holds %s training samples.".formatted(each)
            : "Each node holds %s training samples of %s of the %d classes."
                .formatted(each, range(held), data.classes()));
    return spread;
  }

  private static String range(int[] numbers) {
    int least = Arrays.stream(numbers).min().orElse(0);
    int most = Arrays.stream(numbers).max().orElse(0);
    return least == most
        ? String.format(Locale.ROOT, "%,d", most)
        : String.format(Locale.ROOT, "%,d to %,d", least, most);
  }

  /** One array a column, with the latest value of every node; null where a node has none. */
  private static Map<String, Object> nodes(
      SavedRun run, Optional<Graph> graph, Optional<ClassCounts> data) {
    int count = graph.map(Graph::nodes).orElse(data.map(ClassCounts::nodes).orElse(0));
    for (String metric : COLUMNS.values()) {
      MetricColumn column = run.metric(metric).orElse(null);
      for (int i = 0; column != null && i < column.rounds(); i++) {
        int[] nodes = column.nodes(i);
        count = nodes.length == 0 ? count : Math.max(count, nodes[nodes.length - 1] + 1);
      }
    }
    Map<String, Object> nodes = new LinkedHashMap<>();
    graph.ifPresent(g -> {
      int[] degrees = new int[g.nodes()];
      Arrays.setAll(degrees, node -> g.targets(node).length);
      nodes.put("degree", degrees);
    });
    data.ifPresent(d -> {
      int[] samples = new int[d.nodes()];
      int[] classes = new int[d.nodes()];
      Arrays.setAll(samples, d::samples);
      Arrays.setAll(classes, d::classesHeld);
      nodes.put("samples", samples);
      nodes.put("classes", classes);
    });
    for (Map.Entry<String, String> entry : COLUMNS.entrySet()) {
      nodes.put(entry.getKey(), latest(run.metric(entry.getValue()).orElse(null), count));
    }
    return nodes;
  }

  private static @Nullable Double[] latest(@Nullable MetricColumn column, int count) {
    @Nullable Double[] latest = new @Nullable Double[count];
    for (int i = 0; column != null && i < column.rounds(); i++) {
      int[] nodes = column.nodes(i);
      double[] values = column.values(i);
      for (int j = 0; j < nodes.length; j++) {
        if (nodes[j] >= 0) {
          latest[nodes[j]] = PageData.number(values[j]);
        }
      }
    }
    return latest;
  }

  private static List<List<String>> provenance(SavedRun run) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("directory", run.directory().path().toString()));
    run.provenance()
        .ifPresent(json -> {
          for (Map.Entry<String, JsonNode> entry : json.properties()) {
            row(rows, entry.getKey(), entry.getValue());
          }
        });
    run.summary().ifPresent(json -> row(rows, "trace_hash", json.path("trace_hash")));
    return rows;
  }

  private static void row(List<List<String>> rows, String key, JsonNode value) {
    String name = key.replace('_', ' ');
    if (value.isArray() && value.path(0).isObject()) {
      value.forEach(each -> rows.add(List.of(name, text(each))));
    } else if (value.isArray()) {
      rows.add(List.of(name, text(value)));
    } else if (value.isObject() && !key.endsWith("_hashes")) {
      rows.add(List.of(name, text(value)));
    } else if (value.isObject()) {
      value
          .properties()
          .forEach(entry ->
              rows.add(List.of("SHA-256 of " + entry.getKey(), entry.getValue().asString(""))));
    } else if (key.equals("heap_bytes") && value.isNumber()) {
      rows.add(
          List.of("heap", String.format(Locale.ROOT, "%.1f GiB", value.asDouble() / (1L << 30))));
    } else if (!value.isNull() && !value.isMissingNode()) {
      rows.add(List.of(name, value.asString()));
    }
  }

  /** Where a run was resumed or branched off, or what was typed, in one line. */
  private static String text(JsonNode value) {
    List<String> words = new ArrayList<>();
    if (value.isArray()) {
      value.forEach(each -> words.add(text(each)));
      return String.join(" ", words);
    }
    if (value.isObject()) {
      value
          .properties()
          .forEach(
              entry -> words.add(entry.getKey().replace('_', ' ') + " " + text(entry.getValue())));
      return String.join(", ", words);
    }
    return value.asString("");
  }

  private static String experiment(SavedRun run) {
    try {
      return Files.readString(run.directory().experimentFile());
    } catch (IOException missing) {
      return "(experiment.toml cannot be read)";
    }
  }
}
