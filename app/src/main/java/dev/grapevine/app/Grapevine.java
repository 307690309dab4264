package dev.grapevine.app;

import dev.grapevine.UserException;
import java.io.PrintWriter;
import java.util.ServiceLoader;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
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

  @Spec private CommandSpec spec;

  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  /** The whole command line, ready to execute; its exit code follows the conventions above. */
  public static CommandLine commandLine() {
    CommandLine commandLine = new CommandLine(new Grapevine());
    ServiceLoader.load(Subcommand.class).forEach(commandLine::addSubcommand);
    commandLine.setExecutionExceptionHandler(Grapevine::report);
    commandLine.setCaseInsensitiveEnumValuesAllowed(true);
    return commandLine;
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Say which command to run");
  }

  private static int report(Exception failure, CommandLine command, CommandLine.ParseResult parsed)
      throws Exception {
    if (failure instanceof UserException) {
      PrintWriter err = command.getErr();
      err.println(command.getColorScheme().errorText(failure.getMessage()));
      return USER_MISTAKE;
    }
    throw failure;
  }
}
