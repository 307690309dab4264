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

  static List<Path> all() throws IOException {
    try (Stream<Path> files = Files.walk(root().resolve("examples"))) {
      return files.filter(file -> file.toString().endsWith(".toml")).sorted().toList();
    }
  }
}
