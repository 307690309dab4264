package dev.grapevine.settings;

import java.util.Locale;

/** The file's spelling of Java names: {@code shardsPerNode} and {@code GO_ON} with hyphens. */
final class KebabCase {

  private KebabCase() {}

  static String of(String name) {
    return name.replaceAll("(?<=[a-z0-9])(?=[A-Z])", "-")
        .replaceAll("(?<=[A-Z])(?=[A-Z][a-z])", "-")
        .replace('_', '-')
        .toLowerCase(Locale.ROOT);
  }

  static String of(Enum<?> constant) {
    return constant.name().replace('_', '-').toLowerCase(Locale.ROOT);
  }
}
