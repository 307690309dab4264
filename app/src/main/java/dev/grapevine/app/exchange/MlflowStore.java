package dev.grapevine.app.exchange;

import dev.grapevine.FileProblem;
import dev.grapevine.UserException;
import dev.grapevine.results.MetricColumn;
import dev.grapevine.results.SavedRun;
import dev.grapevine.results.Spread;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Map;
import java.util.UUID;

/**
 * MLflow's file store, {@code mlruns}: a folder for each experiment name, in it one for each run
 * with its settings as parameters and the means over the nodes as metrics.
 */
final class MlflowStore {

  private static final int LONGEST_PARAMETER = 6000;

  private MlflowStore() {}

  /** Adds a run to a store, or writes it anew; returns its folder. */
  static Path write(SavedRun run, Path store) {
    String experiment = number(run.name());
    String id = id(run.directory().path().toAbsolutePath().normalize() + " " + RunTimes.start(run));
    Path folder = store.resolve(experiment).resolve(id);
    try {
      experiment(run, store.resolve(experiment), experiment);
      Files.createDirectories(folder.resolve("artifacts"));
      Files.writeString(folder.resolve("meta.yaml"), meta(run, experiment, id, folder));
      for (Map.Entry<String, String> setting : run.settings().entrySet()) {
        String value = setting.getValue();
        put(
            folder.resolve("params").resolve(name(setting.getKey())),
            value.substring(0, Math.min(LONGEST_PARAMETER, value.length())));
      }
      put(folder.resolve("tags/mlflow.runName"), runName(run));
      put(folder.resolve("tags/mlflow.source.name"), "grapevine");
      for (String metric : run.metrics()) {
        put(
            folder.resolve("metrics").resolve(name(metric)),
            lines(run.metric(metric).orElseThrow(), RunTimes.start(run)));
      }
    } catch (IOException e) {
      throw new UserException(
          "cannot write the MLflow store " + store + ": " + FileProblem.reason(e), e);
    }
    return folder;
  }

  private static void put(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private static String runName(SavedRun run) {
    return run.directory().path().toAbsolutePath().normalize().getFileName().toString();
  }

  private static String name(String key) {
    return key.replaceAll("[^A-Za-z0-9_.\\- /]", "_");
  }

  /** Eighteen digits, as MLflow's own are. */
  private static String number(String name) {
    long hash =
        UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)).getMostSignificantBits();
    return String.valueOf(100_000_000_000_000_000L + (hash >>> 8) % 800_000_000_000_000_000L);
  }

  private static String id(String text) {
    UUID hash = UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().toHexDigits(hash.getMostSignificantBits())
        + HexFormat.of().toHexDigits(hash.getLeastSignificantBits());
  }

  private static void experiment(SavedRun run, Path folder, String id) throws IOException {
    Files.createDirectories(folder);
    long time = RunTimes.start(run).toEpochMilli();
    Files.writeString(
        folder.resolve("meta.yaml"),
        """
        artifact_location: %s
        creation_time: %d
        experiment_id: '%s'
        last_update_time: %d
        lifecycle_stage: active
        name: %s
        """
            .formatted(quoted(uri(folder)), time, id, time, quoted(run.name())));
  }

  private static String uri(Path folder) {
    return folder.toAbsolutePath().normalize().toUri().toString().replaceAll("/$", "");
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "''") + "'";
  }

  private static String meta(SavedRun run, String experiment, String id, Path folder) {
    int status =
        switch (run.outcome()) {
          case "done" -> 3;
          case SavedRun.RUNNING -> 1;
          case "interrupted", SavedRun.CUT_OFF -> 5;
          default -> 4;
        };
    return """
    artifact_uri: %s
    end_time: %d
    entry_point_name: ''
    experiment_id: '%s'
    lifecycle_stage: active
    run_id: %s
    run_name: %s
    run_uuid: %s
    source_name: ''
    source_type: 4
    source_version: ''
    start_time: %d
    status: %d
    tags: []
    user_id: grapevine
    """
        .formatted(
            quoted(uri(folder.resolve("artifacts"))),
            RunTimes.end(run).toEpochMilli(),
            experiment,
            id,
            quoted(runName(run)),
            id,
            RunTimes.start(run).toEpochMilli(),
            status);
  }

  /** Milliseconds, value, step: one line a round. */
  private static String lines(MetricColumn column, Instant start) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < column.rounds(); i++) {
      Spread spread = column.spread(i);
      if (spread.count() > 0) {
        long time = start.toEpochMilli() + (long) (1e3 * column.time(i));
        text.append(time).append(' ').append(spread.mean()).append(' ');
        text.append(column.round(i) + 1).append('\n');
      }
    }
    return text.toString();
  }
}
