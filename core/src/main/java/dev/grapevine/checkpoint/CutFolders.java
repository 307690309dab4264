package dev.grapevine.checkpoint;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The folders of cuts in a run's directory. */
final class CutFolders {

  /** Names are as long as this at least, so that they sort by themselves. */
  private static final int DIGITS = 6;

  private static final String PARTIAL = ".partial";
  private static final Pattern WHOLE = Pattern.compile("round-(\\d{6,9})");
  private static final Pattern OPEN = Pattern.compile("round-(\\d{6,9})" + Pattern.quote(PARTIAL));

  private CutFolders() {}

  static Path of(Path checkpoints, int rounds) {
    return checkpoints.resolve(name(rounds));
  }

  /** Where a cut lies while it is written. */
  static Path open(Path checkpoints, int rounds) {
    return checkpoints.resolve(name(rounds) + PARTIAL);
  }

  /** By hand: a formatter takes as long as a small file. */
  private static String name(int rounds) {
    String digits = Integer.toString(rounds);
    return "round-" + "0".repeat(Math.max(0, DIGITS - digits.length())) + digits;
  }

  /**
   * Where files of cuts that are not needed any more wait to be written over. Three, since now and
   * then three more cuts need a folder at once: one that begins before the one before it is
   * complete, and two while a newer one is brought to the disk.
   */
  static List<Path> spares(Path checkpoints) {
    return List.of(
        checkpoints.resolve("spare"),
        checkpoints.resolve("spare-2"),
        checkpoints.resolve("spare-3"));
  }

  /** All folders of cuts, complete or not, by how many rounds were over; the newest first. */
  static Map<Integer, Path> all(Path checkpoints) {
    return matching(checkpoints, WHOLE);
  }

  /** All folders of cuts that are being written, or that nobody has finished. */
  static Map<Integer, Path> allOpen(Path checkpoints) {
    return matching(checkpoints, OPEN);
  }

  private static Map<Integer, Path> matching(Path checkpoints, Pattern pattern) {
    Map<Integer, Path> folders = new TreeMap<>(Comparator.reverseOrder());
    if (Files.isDirectory(checkpoints)) {
      try (Stream<Path> inside = Files.list(checkpoints)) {
        for (Path folder : inside.toList()) {
          Matcher name = pattern.matcher(folder.getFileName().toString());
          if (name.matches() && Files.isDirectory(folder)) {
            folders.put(Integer.parseInt(name.group(1)), folder);
          }
        }
      } catch (IOException unreadable) {
        return folders;
      }
    }
    return folders;
  }

  static boolean isComplete(Path folder) {
    return Files.exists(folder.resolve(CutFile.NAME));
  }

  /** Deletes a folder; what says that it is complete goes first. */
  static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    Files.deleteIfExists(folder.resolve(CutFile.NAME));
    for (Path file : files(folder)) {
      Files.deleteIfExists(file);
    }
    Files.deleteIfExists(folder);
  }

  static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> inside = Files.list(folder)) {
      return inside.toList();
    }
  }
}
