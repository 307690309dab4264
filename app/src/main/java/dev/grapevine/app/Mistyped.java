package dev.grapevine.app;

import dev.grapevine.settings.Nearest;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Says in one or two lines what is wrong with a command line, and what was perhaps meant. */
final class Mistyped {

  private Mistyped() {}

  static int explain(ParameterException mistake, String[] arguments) {
    CommandLine command = mistake.getCommandLine();
    List<String> unknown = unknown(mistake, arguments);
    PrintWriter err = command.getErr();
    String name = command.getCommandSpec().qualifiedName();
    err.println(command.getColorScheme().errorText(sentence(mistake, unknown)));
    if (!command.getSubcommands().isEmpty() && guess(command, unknown).isEmpty()) {
      err.println("commands: " + String.join(", ", command.getSubcommands().keySet()));
    }
    err.println("see: %s --help".formatted(name));
    err.flush();
    return Grapevine.USER_MISTAKE;
  }

  private static String sentence(ParameterException mistake, List<String> unknown) {
    if (unknown.isEmpty()) {
      return String.valueOf(mistake.getMessage());
    }
    CommandLine command = mistake.getCommandLine();
    String word = unknown.getFirst();
    String kind =
        isOption(word)
            ? "option"
            : command.getSubcommands().isEmpty() ? "further argument" : "command";
    return "%s has no %s \"%s\"%s"
        .formatted(
            command.getCommandSpec().qualifiedName(),
            kind,
            word,
            guess(command, unknown).map(meant -> "; did you mean %s?".formatted(meant)).orElse(""));
  }

  /** What stands on the command line and means nothing; a missing argument is told after that. */
  private static List<String> unknown(ParameterException mistake, String[] arguments) {
    if (mistake instanceof UnmatchedArgumentException unmatched) {
      return unmatched.getUnmatched();
    }
    if (!(mistake instanceof MissingParameterException)) {
      return List.of();
    }
    Collection<String> known = names(mistake.getCommandLine(), true);
    return Stream.of(arguments)
        .filter(word -> isOption(word) && !known.contains(word.replaceFirst("=.*", "")))
        .toList();
  }

  private static Optional<String> guess(CommandLine command, List<String> unknown) {
    return unknown.isEmpty()
        ? Optional.empty()
        : Nearest.to(unknown.getFirst(), alike(command, unknown.getFirst()));
  }

  /** Names that look like the word: a long option is hardly ever meant to be a short one. */
  private static Collection<String> alike(CommandLine command, String word) {
    return names(command, isOption(word)).stream()
        .filter(name -> !word.startsWith("--") || name.startsWith("--"))
        .toList();
  }

  private static Collection<String> names(CommandLine command, boolean options) {
    if (!options) {
      return command.getSubcommands().keySet();
    }
    List<String> names = new ArrayList<>();
    for (OptionSpec option : command.getCommandSpec().options()) {
      names.addAll(List.of(option.names()));
    }
    return names;
  }

  private static boolean isOption(String word) {
    return word.startsWith("-");
  }
}
