package dev.grapevine.app.cluster;

import dev.grapevine.UserException;
import dev.grapevine.app.DataFolder;
import dev.grapevine.cluster.HostsFile;
import dev.grapevine.cluster.Placement;
import dev.grapevine.experiment.Parts;
import dev.grapevine.results.HostName;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** On how many processes, and on which machines, a run takes place. */
public final class FleetOptions {

  @Option(
      names = "--workers",
      paramLabel = "N",
      description = "So many processes on this machine; nodes are dealt to them in blocks.")
  private @Nullable Integer workers;

  @Option(
      names = "--hosts",
      paramLabel = "FILE",
      description =
          "The machines to run on, one a line: host workers=4 [nodes=0-63] [address=A] [port=P].")
  private @Nullable Path hosts;

  @Option(
      names = "--rsh",
      paramLabel = "COMMAND",
      description =
          "What gets to other machines (default: ssh -o BatchMode=yes). Grapevine and the"
              + " experiment must be at the same path there.")
  private @Nullable String shell;

  @Option(
      names = "--address",
      paramLabel = "ADDRESS",
      description = "Where other machines reach this one (default: its name).")
  private @Nullable String address;

  /** Whether several processes are asked for. */
  boolean isChosen() {
    return workers != null || hosts != null;
  }

  /** How many processes on this machine, where only that was said. */
  OptionalInt onlyWorkers() {
    return workers == null || hosts != null ? OptionalInt.empty() : OptionalInt.of(workers);
  }

  /**
   * Who is to run where.
   *
   * @param engine starts the workers, if it was chosen
   */
  Fleet fleet(Parts parts, Fleet.Orders orders, EngineOptions engine) {
    if (hosts == null && shell != null) {
      throw new UserException(
          "--rsh gets to the machines of --hosts FILE; name them, or leave it out");
    }
    if (hosts == null && workers != null) {
      Placement blocks = Placement.blocks(parts.learners(), parts.nodes(), workers);
      return engine.isChosen()
          ? Fleet.on(engine, blocks, orders, address == null ? HostName.here() : address)
          : Fleet.here(blocks, orders);
    }
    if (hosts == null || workers != null) {
      throw new UserException(
          "say how many processes to start, by --workers N on this machine or by --hosts FILE");
    }
    if (engine.isChosen()) {
      throw new UserException("--on chooses the machines itself; give --workers, not --hosts");
    }
    HostsFile machines = HostsFile.read(hosts);
    Placement placement =
        machines
            .nodesOfWorkers()
            .map(nodes -> Placement.of(parts.learners(), parts.nodes(), nodes))
            .orElseGet(() -> Placement.blocks(parts.learners(), parts.nodes(), machines.workers()));
    return Fleet.on(
        machines,
        placement,
        parts.learners(),
        orders,
        new Fleet.Way(
            Objects.requireNonNullElse(shell, "ssh -o BatchMode=yes"),
            Path.of("").toAbsolutePath(),
            Path.of(System.getProperty("grapevine.home", ".")).toAbsolutePath().normalize(),
            address == null ? HostName.here() : address));
  }

  /** The folder of data sets that workers are told: those on this machine have the same. */
  Optional<Path> dataFolder(DataFolder data) {
    return hosts == null ? Optional.of(data.path()) : data.given();
  }
}
