package dev.grapevine.app.draft;

import dev.grapevine.UserException;
import dev.grapevine.settings.Registry;
import org.jspecify.annotations.Nullable;

/** What is asked before an experiment file is written. */
enum Question {
  NAME("What is it called", "experiment", null),
  NODES("How many nodes", "16", null),
  TOPOLOGY("Who talks to whom", "regular", "topology"),
  DATA("Which data", "fashion-mnist-mini", "data"),
  MODEL("Which model", "mlp", "model"),
  SHARING("What do they send", "full", "sharing"),
  ROUNDS("How many rounds", "60", null),
  RUNTIME("On which clock", "live", "runtime");

  private final String words;
  private final String usual;
  private final @Nullable String family;

  /**
   * @param family of which the answer names a kind; null when it is a name or a number
   */
  Question(String words, String usual, @Nullable String family) {
    this.words = words;
    this.usual = usual;
    this.family = family;
  }

  String words() {
    return words;
  }

  /** What an empty answer means. */
  String usual() {
    return usual;
  }

  /** What to type to see what there is; empty where anything goes. */
  String help() {
    return family == null ? "" : "./grapevine list " + family;
  }

  /**
   * @throws UserException when it is no answer
   */
  void check(String answer, Registry registry) {
    if (family != null) {
      // Says what was perhaps meant, or what there is.
      registry.kind(registry.family(family), answer);
    } else if (this != NAME && !answer.matches("[1-9][0-9]{0,8}")) {
      throw new UserException("that is no whole number above 0: " + answer);
    } else if (answer.isBlank() || answer.matches(".*[/\\\\\\p{Cntrl}].*")) {
      throw new UserException("a name must not be empty nor hold slashes, it becomes a folder");
    }
  }
}
