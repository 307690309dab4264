package dev.grapevine.data.source;

import dev.grapevine.FileProblem;
import dev.grapevine.UserException;
import dev.grapevine.data.DataContext;
import dev.grapevine.data.fetch.DataDirectory;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/**
 * The folder with a set's files: the one that the user names, or the set's own in the cache.
 *
 * @param set the set's name
 * @param path the folder
 * @param fetchable whether {@code grapevine data get} can fill it
 */
record SetFolder(String set, Path path, boolean fetchable) {

  static SetFolder of(String set, Optional<String> asked, DataContext context, boolean fetchable) {
    return asked
        .map(folder -> new SetFolder(set, context.resolve(folder), false))
        .orElseGet(() ->
            new SetFolder(set, new DataDirectory(context.dataDirectory()).of(set), fetchable));
  }

  /** The first of several names, plain or with {@code .gz}, that there is a file for. */
  Optional<Path> find(String... names) {
    return Arrays.stream(names)
        .flatMap(name -> Stream.of(name, name + ".gz"))
        .map(path::resolve)
        .filter(Files::isRegularFile)
        .findFirst();
  }

  boolean has(String... names) {
    return find(names).isPresent();
  }

  Path require(String... names) {
    return find(names).orElseThrow(() -> missing(names[0]));
  }

  UserException missing(String what) {
    return new UserException(
        "%s is not here: missing %s in %s; %s"
            .formatted(
                set,
                what,
                path,
                fetchable
                    ? "run `grapevine data get %s`, or name a folder with the official files (folder = \"...\")"
                        .formatted(set)
                    : "name a folder that holds it (folder = \"...\"), see docs/data.md"));
  }

  /** The JSON files of a sub-folder in the order of their names. */
  List<Path> jsonFiles(String... subfolders) {
    for (String subfolder : subfolders) {
      Path folder = path.resolve(subfolder);
      if (Files.isDirectory(folder)) {
        try (Stream<Path> files = Files.list(folder)) {
          List<Path> found =
              files.filter(file -> file.toString().endsWith(".json")).sorted().toList();
          if (!found.isEmpty()) {
            return found;
          }
        } catch (IOException failure) {
          throw new UserException(
              "cannot list the folder: %s (%s)".formatted(folder, FileProblem.reason(failure)));
        }
      }
    }
    throw missing(subfolders[0] + "/*.json");
  }

  /** Opens a file, unpacking it when its name ends in {@code .gz}. */
  static InputStream open(Path file) throws IOException {
    InputStream stream = new BufferedInputStream(Files.newInputStream(file), 1 << 16);
    if (!file.toString().endsWith(".gz")) {
      return stream;
    }
    try {
      return new GZIPInputStream(stream, 1 << 16);
    } catch (IOException notPacked) {
      stream.close();
      throw notPacked;
    }
  }

  /** Reads a whole file, unpacked. */
  static byte[] content(Path file) {
    try (InputStream stream = open(file)) {
      return stream.readAllBytes();
    } catch (IOException failure) {
      throw new UserException(
          "%s: cannot be read: %s; fetch or copy it again"
              .formatted(file, FileProblem.reason(failure)),
          failure);
    }
  }
}
