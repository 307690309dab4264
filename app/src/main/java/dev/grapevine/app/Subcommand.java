package dev.grapevine.app;

import java.util.Optional;
import java.util.ServiceLoader;
import picocli.CommandLine.Command;

/**
 * A picocli-annotated command that {@link Grapevine} offers by name. Found by {@link
 * java.util.ServiceLoader}, so that a module beside the app can add commands of its own.
 */
public interface Subcommand {

  /** Whether it has to do with other commands than itself, such as the one that tells of all. */
  default boolean looksAtOthers() {
    return false;
  }

  /** The command of that name, if there is one. */
  static Optional<Subcommand> named(String name) {
    return ServiceLoader.load(Subcommand.class).stream()
        .filter(command -> isNamed(command.type(), name))
        .findFirst()
        .map(ServiceLoader.Provider::get);
  }

  private static boolean isNamed(Class<? extends Subcommand> type, String name) {
    Command description = type.getAnnotation(Command.class);
    return description != null && description.name().equals(name);
  }
}
