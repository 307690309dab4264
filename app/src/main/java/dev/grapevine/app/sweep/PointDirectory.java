package dev.grapevine.app.sweep;

import dev.grapevine.UserException;
import dev.grapevine.experiment.Sweep;
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
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A point of a sweep and the directory of its run.
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
    return new PointDirectory(point, sweep.resolve(shortened + "-" + hash(point)));
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
    try {
      return Files.isDirectory(path)
          && Files.exists(path.resolve("experiment.toml"))
          && Files.readString(path.resolve("experiment.toml")).equals(point.experiment().toToml())
          && SavedRun.summaryOf(path)
              .map(summary -> SavedRun.isComplete(summary.path("outcome").asString("")))
              .orElse(false);
    } catch (IOException unreadable) {
      return false;
    }
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
      throw new UserException("cannot remove the half-done run %s: %s".formatted(path, e), e);
    }
  }
}
