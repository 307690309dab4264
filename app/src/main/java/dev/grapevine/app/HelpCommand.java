package dev.grapevine.app;

import dev.grapevine.UserException;
import dev.grapevine.settings.Nearest;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code grapevine help run}: the same as {@code grapevine run --help}. */
@Command(
    name = "help",
    description = "Show the help of a command.",
    mixinStandardHelpOptions = true,
    footer = {"", "Example:  grapevine help data get"})
public final class HelpCommand implements Subcommand, Callable<Integer> {

  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..*",
      paramLabel = "COMMAND",
      description = "The command; help about all of them unless given.")
  private @Nullable List<String> words;

  @Override
  public boolean looksAtOthers() {
    return true;
  }

  @Override
  public Integer call() {
    CommandLine command = spec.commandLine().getParent();
    for (String word : words == null ? List.<String>of() : words) {
      Map<String, CommandLine> below = command.getSubcommands();
      if (!below.containsKey(word)) {
        throw new UserException(
            "there is no command %s%s".formatted(word, Nearest.hint(word, below.keySet())));
      }
      command = below.get(word);
    }
    command.usage(spec.commandLine().getOut());
    spec.commandLine().getOut().flush();
    return 0;
  }
}
