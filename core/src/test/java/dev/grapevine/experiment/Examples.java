package dev.grapevine.experiment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The example files of the repository. */
final class Examples {

  private Examples() {}

  static Path root() {
    Path here = Path.of("").toAbsolutePath();
    while (!Files.isDirectory(here.resolve("examples"))) {
      here = here.getParent();
    }
    return here;
  }

  static Path file(String name) {
    return root().resolve("examples").resolve(name);
  }

  /** Whether a preset says that it needs what is not there yet. */
  private static boolean waits(Path claims) {
    try {
      return Files.exists(claims)
          && Files.readAllLines(claims).stream().anyMatch(line -> line.startsWith("needs = "));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  static List<Path> all() throws IOException {
    try (Stream<Path> files = Files.walk(root().resolve("examples"))) {
      return files
          .filter(file -> file.toString().endsWith(".toml"))
          // What a document claims about its experiments; see dev.grapevine.app.reproduce.
          .filter(file -> !file.endsWith("claims.toml"))
          .filter(file -> !waits(file.resolveSibling("claims.toml")))
          .sorted()
          .toList();
    }
  }
}
