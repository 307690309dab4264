package dev.grapevine.data.fetch;

import dev.grapevine.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The address of the user's npm registry: {@code npm_config_registry}, else the {@code registry=}
 * line of an {@code .npmrc}, else what npm itself says. Grapevine knows no address of its own.
 */
final class NpmRegistry {

  private NpmRegistry() {}

  static String address(Map<String, String> environment, List<Path> folders) {
    Optional<String> asked =
        Optional.ofNullable(environment.get("npm_config_registry"))
            .or(() -> Optional.ofNullable(environment.get("NPM_CONFIG_REGISTRY")))
            .filter(text -> !text.isBlank());
    for (Path folder : folders) {
      asked = asked.or(() -> inFile(folder.resolve(".npmrc")));
    }
    String address =
        asked
            .or(NpmRegistry::saidByNpm)
            .orElseThrow(() ->
                new UserException(
                    "no npm registry is known; set npm_config_registry, write registry=... into ~/.npmrc, or install npm"));
    return address.strip().replaceAll("/+$", "");
  }

  private static Optional<String> inFile(Path file) {
    if (!Files.isReadable(file)) {
      return Optional.empty();
    }
    try {
      return Files.readAllLines(file).stream()
          .map(line -> line.split("=", 2))
          .filter(parts -> parts.length == 2 && parts[0].strip().equals("registry"))
          .map(parts -> parts[1].strip())
          .filter(text -> !text.isEmpty())
          .findFirst();
    } catch (IOException unreadable) {
      return Optional.empty();
    }
  }

  private static Optional<String> saidByNpm() {
    return OtherProgram.output(List.of("npm", "config", "get", "registry"))
        .map(String::strip)
        .filter(text -> text.startsWith("http"));
  }
}
