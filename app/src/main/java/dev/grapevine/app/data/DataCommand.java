package dev.grapevine.app.data;

import dev.grapevine.app.Subcommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code grapevine data}: holds the commands about data sets. */
@Command(
    name = "data",
    description = "Lists, gets and shows data sets.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {ListCommand.class, GetCommand.class, ShowCommand.class})
public final class DataCommand implements Subcommand, Runnable {

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Say what to do: list, get or show");
  }
}
