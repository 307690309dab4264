package dev.grapevine.app.identity;

import dev.grapevine.security.CertifiedParty;
import dev.grapevine.security.Greeting;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Makes the identity of a launcher, which lets workers join and speaks for no node. */
@Command(
    name = "launcher",
    description = "Make the key and certificate of a launcher, which speaks for no node.",
    mixinStandardHelpOptions = true)
final class LauncherCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Mixin private Issuing issuing = new Issuing();

  @Override
  public Integer call() {
    return issuing.issue(
        new CertifiedParty(Greeting.COORDINATOR, Optional.empty()),
        "launcher",
        spec.commandLine().getOut());
  }
}
