package dev.grapevine.app.identity;

import dev.grapevine.app.Subcommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code grapevine identity}: holds the commands about keys and certificates. */
@Command(
    name = "identity",
    description = {
      "Makes keys and certificates for workers whose owners do not trust the one who launches.",
      "Others need none: a run's workers make their own."
    },
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      AuthorityCommand.class,
      WorkerCommand.class,
      LauncherCommand.class,
      SecretCommand.class,
      ShowCommand.class
    })
public final class IdentityCommand implements Subcommand, Runnable {

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "Say what to do: authority, worker, launcher, secret or show");
  }
}
