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

  private static final Pattern NAME = Pattern.compile("round-(\\d{6,9})");

  private CutFolders() {}

  static Path of(Path checkpoints, int rounds) {
    return checkpoints.resolve("round-%06d".formatted(rounds));
  }

  /** All folders, complete or not, by how many rounds were over; the newest first. */
  static Map<Integer, Path> all(Path checkpoints) {
    Map<Integer, Path> folders = new TreeMap<>(Comparator.reverseOrder());
    if (Files.isDirectory(checkpoints)) {
      try (Stream<Path> inside = Files.list(checkpoints)) {
        for (Path folder : inside.toList()) {
          Matcher name = NAME.matcher(folder.getFileName().toString());
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
    List<Path> files;
    try (Stream<Path> inside = Files.list(folder)) {
      files = inside.toList();
    }
    for (Path file : files) {
      Files.deleteIfExists(file);
    }
    Files.deleteIfExists(folder);
  }
}
