package dev.grapevine.app;

import dev.grapevine.UserException;
import dev.grapevine.app.terminal.LentErrorStream;
import dev.grapevine.app.terminal.Terminal;
import java.io.PrintWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The {@code grapevine} command: parses the command line and hands over to a {@link Subcommand}.
 */
@Command(
    name = "grapevine",
    description = "Decentralized machine learning: many nodes, one model, no server.",
    mixinStandardHelpOptions = true,
    version = "grapevine 0.1.0",
    synopsisSubcommandLabel = "COMMAND",
    footer = {"", "Start with:  grapevine run examples/quickstart.toml"})
public final class Grapevine implements Runnable {

  /** Exit code for what a user can mend. */
  static final int USER_MISTAKE = 2;

  /** Exit code for what the user cannot mend. */
  static final int FAILED = 1;

  private static final int NARROWEST_HELP = 55;
  private static final int WIDEST_HELP = 100;

  @Spec private CommandSpec spec;

  public static void main(String[] arguments) {
    LentErrorStream.takeBack();
    PrintWriter err = new PrintWriter(System.err, true);
    Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> LastResort.report(failure, err));
    int code;
    try {
      CommandLine commandLine = commandLineFor(arguments);
      if (showsHelp(arguments)) {
        commandLine.setUsageHelpWidth(
            Math.clamp(Terminal.ofOutput().columns(), NARROWEST_HELP, WIDEST_HELP));
      }
      code = commandLine.execute(arguments);
    } catch (RuntimeException | Error failure) {
      code = LastResort.report(failure, err);
    }
    System.exit(code);
  }

  /** Only then it matters how wide the terminal is, and to ask for it takes a while. */
  private static boolean showsHelp(String... arguments) {
    return arguments.length == 0
        || arguments[0].equals("help")
        || List.of(arguments).contains("--help")
        || List.of(arguments).contains("-h");
  }

  /** The whole command line, ready to execute; its exit code follows the conventions above. */
  public static CommandLine commandLine() {
    return commandLine(ServiceLoader.load(Subcommand.class));
  }

  /**
   * A command line that understands these arguments. To make all commands known takes longer than
   * anything else that a process does before its work begins, so that only the one asked for is.
   */
  public static CommandLine commandLineFor(String... arguments) {
    return Subcommand.named(arguments.length == 0 ? "" : arguments[0])
        .filter(command -> !command.looksAtOthers())
        .map(command -> commandLine(List.of(command)))
        .orElseGet(Grapevine::commandLine);
  }

  private static CommandLine commandLine(Iterable<Subcommand> commands) {
    CommandLine commandLine = new CommandLine(new Grapevine());
    commands.forEach(commandLine::addSubcommand);
    commandLine.setExecutionExceptionHandler(Grapevine::report);
    commandLine.setExecutionStrategy(Grapevine::execute);
    commandLine.setParameterExceptionHandler(Mistyped::explain);
    commandLine.setCaseInsensitiveEnumValuesAllowed(true);
    // Set as a whole, it holds for commands of commands too.
    Map<String, CommandLine.IHelpSectionRenderer> sections =
        new HashMap<>(commandLine.getHelpSectionMap());
    sections.put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, CommandList::text);
    commandLine.setHelpSectionMap(sections);
    return commandLine;
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Say which command to run");
  }

  /** As usual; an error, which no exception handler sees, is told like an exception. */
  private static int execute(CommandLine.ParseResult parsed) {
    try {
      return new CommandLine.RunLast().execute(parsed);
    } catch (Error failure) {
      return LastResort.report(failure, parsed.commandSpec().commandLine().getErr());
    }
  }

  private static int report(
      Exception failure, CommandLine command, CommandLine.ParseResult parsed) {
    if (failure instanceof UserException) {
      PrintWriter err = command.getErr();
      err.println(command.getColorScheme().errorText(failure.getMessage()));
      return USER_MISTAKE;
    }
    return LastResort.report(failure, command.getErr());
  }
}
