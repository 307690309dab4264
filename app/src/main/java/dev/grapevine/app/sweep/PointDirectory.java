package dev.grapevine.app.sweep;

import dev.grapevine.FileProblem;
import dev.grapevine.UserException;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.experiment.Sweep;
import dev.grapevine.results.RunDirectory;
import dev.grapevine.results.SavedRun;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A point of a sweep and the directory of its run. A run that an earlier version recorded stays the
 * point's own if this version reads the same experiment from it: settings that have come in since
 * then have their defaults.
 *
 * @param point what to run
 * @param path where its results go, inside the sweep's directory
 */
public record PointDirectory(Sweep.Point point, Path path) {

  private static final int LONGEST_NAME = 80;

  /** The point's place in the directory of a sweep. */
  public static PointDirectory of(Sweep.Point point, Path sweep) {
    String values =
        point.values().entrySet().stream()
            .map(entry -> lastPart(entry.getKey()) + "=" + entry.getValue())
            .collect(Collectors.joining("_"))
            .replaceAll("[^A-Za-z0-9._=-]+", "");
    String shortened = values.substring(0, Math.min(LONGEST_NAME, values.length()));
    Path own = sweep.resolve(shortened + "-" + hash(point));
    return new PointDirectory(
        point, Files.exists(own) ? own : earlier(point, sweep, shortened + "-").orElse(own));
  }

  /** The run of an earlier version that is this very experiment, if there is one. */
  private static Optional<Path> earlier(Sweep.Point point, Path sweep, String prefix) {
    // The text of own code and other files is not in the record; only its name would be compared.
    if (!Files.isDirectory(sweep) || !point.experiment().files().fingerprint().isEmpty()) {
      return Optional.empty();
    }
    try (Stream<Path> inside = Files.list(sweep)) {
      return inside
          .filter(path -> path.getFileName().toString().startsWith(prefix))
          .filter(path -> records(path, point.experiment()))
          .min(Comparator.naturalOrder());
    } catch (IOException unreadable) {
      return Optional.empty();
    }
  }

  private static boolean records(Path run, Experiment experiment) {
    Path file = new RunDirectory(run).experimentFile();
    try {
      return Files.exists(file)
          && Experiment.parse(Files.readString(file), experiment.directory()).equals(experiment);
    } catch (IOException | UserException unreadable) {
      return false;
    }
  }

  /** What people call the point. */
  public String label() {
    return point.values().entrySet().stream()
        .map((Map.Entry<String, String> entry) -> lastPart(entry.getKey()) + "=" + entry.getValue())
        .collect(Collectors.joining(" "));
  }

  private static String lastPart(String key) {
    return key.substring(key.lastIndexOf('.') + 1);
  }

  private static String hash(Sweep.Point point) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256")
              .digest(identity(point).getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest, 0, 4);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }

  /** Own code and files that have changed since make it another experiment. */
  private static String identity(Sweep.Point point) {
    return point.experiment().toToml() + point.experiment().files().fingerprint();
  }

  /** Whether the very experiment was run to its end. The summary is the last thing a run writes. */
  public boolean isDone() {
    return Files.isDirectory(path)
        && SavedRun.summaryOf(path)
            .map(summary -> SavedRun.isComplete(summary.path("outcome").asString("")))
            .orElse(false)
        && records(path, point.experiment());
  }

  /** Removes what a run that was cut off has left. */
  void clear() {
    if (!Files.exists(path)) {
      return;
    }
    try (Stream<Path> inside = Files.walk(path)) {
      List<Path> deepestFirst = inside.sorted(Comparator.reverseOrder()).toList();
      for (Path file : deepestFirst) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UserException(
          "cannot remove the half-done run %s: %s".formatted(path, FileProblem.reason(e)), e);
    }
  }
}
