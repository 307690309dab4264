package dev.grapevine.app.exchange;

import dev.grapevine.FileProblem;
import dev.grapevine.UserException;
import dev.grapevine.results.AtomicFiles;
import dev.grapevine.results.MetricColumn;
import dev.grapevine.results.Metrics;
import dev.grapevine.results.SavedRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Writes {@code <rank>_results.json} as DecentralizePy does: per metric a map from rounds, counted
 * from 1, to values; accuracies in percent, bytes as sums since the beginning.
 */
final class DecentralizePyResults {

  private record Source(String metric, double factor) {}

  private static final SequencedMap<String, Source> METRICS = new LinkedHashMap<>();

  static {
    // DecentralizePy evaluates on the whole local training set; the mean of a round's steps is not
    // that.
    METRICS.put("train_loss", new Source(Metrics.TRAINING_SET_LOSS, 1));
    METRICS.put("test_loss", new Source(Metrics.TEST_LOSS, 1));
    METRICS.put("test_acc", new Source(Metrics.TEST_ACCURACY, 100));
    METRICS.put("validation_loss", new Source(Metrics.VALIDATION_LOSS, 1));
    METRICS.put("validation_acc", new Source(Metrics.VALIDATION_ACCURACY, 100));
    METRICS.put("total_bytes", new Source(Metrics.BYTES_SENT, 1));
    METRICS.put("total_meta", new Source(Metrics.BYTES_METADATA, 1));
  }

  private DecentralizePyResults() {}

  /** Writes one file a node and returns how many. */
  static int write(SavedRun results, Path directory) {
    TreeSet<Integer> nodes = new TreeSet<>();
    for (Source source : METRICS.values()) {
      MetricColumn column = results.metric(source.metric).orElse(null);
      for (int i = 0; column != null && i < column.rounds(); i++) {
        for (int node : column.nodes(i)) {
          nodes.add(node);
        }
      }
    }
    nodes.remove(Metrics.WHOLE_RUN);
    if (nodes.isEmpty()) {
      throw new UserException(
          "the run has no results to export yet: " + results.directory().path());
    }
    try {
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw new UserException(
          "cannot create the directory " + directory + ": " + FileProblem.reason(e), e);
    }
    for (int node : nodes) {
      AtomicFiles.write(directory.resolve(node + "_results.json"), json(results, node));
    }
    return nodes.size();
  }

  private static String json(SavedRun results, int node) {
    SequencedMap<String, Map<Integer, Double>> all = new LinkedHashMap<>();
    METRICS.forEach(
        (name, source) -> all.put(name, values(results, source.metric, node, source.factor)));
    Map<Integer, Double> metadata = values(results, Metrics.BYTES_METADATA, node, 1);
    Map<Integer, Double> data = values(results, Metrics.BYTES_SENT, node, 1);
    data.replaceAll((round, bytes) -> bytes - metadata.getOrDefault(round, 0.0));
    all.put("total_data_per_n", data);
    StringBuilder json = new StringBuilder("{");
    all.forEach((name, values) -> {
      json.append(json.length() > 1 ? ", " : "").append('"').append(name).append("\": {");
      List<String> entries =
          values.entrySet().stream()
              .map(e -> "\"" + e.getKey() + "\": " + number(e.getValue()))
              .toList();
      json.append(String.join(", ", entries)).append('}');
    });
    return json.append("}\n").toString();
  }

  /** Python's JSON reads NaN. */
  private static String number(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? String.valueOf((long) value)
        : String.valueOf(value);
  }

  private static Map<Integer, Double> values(
      SavedRun results, String metric, int node, double factor) {
    Map<Integer, Double> values = new TreeMap<>();
    MetricColumn column = results.metric(metric).orElse(null);
    for (int i = 0; column != null && i < column.rounds(); i++) {
      OptionalDouble value = column.value(i, node);
      if (value.isPresent()) {
        values.put(column.round(i) + 1, factor * value.getAsDouble());
      }
    }
    return values;
  }
}
