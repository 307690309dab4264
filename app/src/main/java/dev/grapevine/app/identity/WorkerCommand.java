package dev.grapevine.app.identity;

import dev.grapevine.UserException;
import dev.grapevine.security.CertifiedParty;
import dev.grapevine.topology.NodeSet;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Makes the identity of a worker. */
@Command(
    name = "worker",
    description = "Make the key and certificate of a worker.",
    mixinStandardHelpOptions = true,
    footer = {"", "Example:  grapevine identity worker 3 --nodes 12-15"})
final class WorkerCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "N", description = "The worker's number, from 0.")
  private int number;

  @Option(
      names = "--nodes",
      paramLabel = "NODES",
      description = "The nodes that it may speak for, such as 12-15 (default: any).")
  private @Nullable String nodes;

  @Mixin private Issuing issuing = new Issuing();

  @Override
  public Integer call() {
    if (number < 0) {
      throw new UserException("workers are numbered from 0: worker=" + number);
    }
    Optional<NodeSet> set = Optional.empty();
    if (nodes != null) {
      try {
        if (nodes.strip().equals("all")) {
          throw new IllegalArgumentException("leave --nodes out for a worker of any nodes");
        }
        set = Optional.of(NodeSet.parse(nodes.replace(" ", ""), NodeSet.MOST));
      } catch (IllegalArgumentException e) {
        throw new UserException("--nodes: " + e.getMessage(), e);
      }
    }
    return issuing.issue(
        new CertifiedParty(number, set), "worker-" + number, spec.commandLine().getOut());
  }
}
