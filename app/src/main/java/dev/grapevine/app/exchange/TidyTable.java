package dev.grapevine.app.exchange;

import dev.grapevine.FileProblem;
import dev.grapevine.UserException;
import dev.grapevine.results.MetricColumn;
import dev.grapevine.results.Metrics;
import dev.grapevine.results.SavedRun;
import dev.grapevine.results.SeedGroup;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * All figures of several runs in one table that data frames like: a row a value, with the run, its
 * seed and the settings in which the runs differ beside it. The node of figures of the whole run is
 * empty.
 */
final class TidyTable {

  private TidyTable() {}

  static void write(List<SavedRun> runs, Path file) {
    List<String> keys = new ArrayList<>(SeedGroup.differences(runs).keySet());
    keys.remove("name");
    try {
      Path parent = file.toAbsolutePath().getParent();
      if (parent != null) {
        Files.createDirectories(parent);
      }
      try (BufferedWriter out = Files.newBufferedWriter(file)) {
        List<String> header = new ArrayList<>(List.of("run", "name", "seed"));
        header.addAll(keys);
        header.addAll(List.of("node", "round", "time", "metric", "value"));
        out.write(line(header));
        for (SavedRun run : runs) {
          rows(run, keys, out);
        }
      }
    } catch (IOException e) {
      throw new UserException("cannot write " + file + ": " + FileProblem.reason(e), e);
    }
  }

  private static void rows(SavedRun run, List<String> keys, BufferedWriter out) throws IOException {
    List<String> start = new ArrayList<>();
    start.add(run.directory().path().toString());
    start.add(run.name());
    start.add(run.seed().isPresent() ? String.valueOf(run.seed().getAsLong()) : "");
    keys.forEach(key -> start.add(run.settings().getOrDefault(key, "")));
    String head = line(start).stripTrailing();
    for (String metric : run.metrics()) {
      MetricColumn column = run.metric(metric).orElseThrow();
      for (int i = 0; i < column.rounds(); i++) {
        int[] nodes = column.nodes(i);
        double[] values = column.values(i);
        for (int j = 0; j < nodes.length; j++) {
          String node = nodes[j] == Metrics.WHOLE_RUN ? "" : String.valueOf(nodes[j]);
          out.write(
              head
                  + ","
                  + node
                  + ","
                  + (column.round(i) + 1)
                  + ","
                  + column.time(i)
                  + ","
                  + metric
                  + ","
                  + values[j]
                  + "\n");
        }
      }
    }
  }

  private static String line(List<String> cells) {
    return cells.stream()
            .map(cell -> cell.matches("[^,\"\n]*") ? cell : '"' + cell.replace("\"", "\"\"") + '"')
            .collect(Collectors.joining(","))
        + "\n";
  }
}
