package dev.grapevine.app.cluster;

import dev.grapevine.UserException;
import dev.grapevine.cluster.Patience;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.runtime.live.LiveRuntime;
import dev.grapevine.security.LinkSecurity;
import dev.grapevine.security.RunSecret;
import dev.grapevine.security.TlsPolicy;
import dev.grapevine.security.WorkerIdentity;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What the commands for many processes have in common: how they connect and how long they wait. */
public final class ClusterOptions {

  private static final int LAST_PORT = 65535;

  @Option(
      names = "--tls",
      paramLabel = "WHEN",
      description =
          "When connections are encrypted: auto (whenever the other end is not on loopback),"
              + " always, never (default: auto).")
  private TlsPolicy tls = TlsPolicy.AUTO;

  @Option(
      names = "--insecure",
      description = "Allow --tls never between machines: models travel readable for all.")
  private boolean insecure;

  @Option(
      names = "--identity",
      paramLabel = "FILE",
      description =
          "This process's certificate of an authority (made by grapevine identity), rather than"
              + " one of its own making.")
  private @Nullable Path identity;

  @Option(
      names = "--port-base",
      paramLabel = "PORT",
      description =
          "Listen on this port (the coordinator) and the ones above it (worker R on PORT+1+R),"
              + " rather than on free ones.")
  private int portBase;

  @Option(
      names = "--join-within",
      paramLabel = "SECONDS",
      description = "How long to wait until all workers are there (default: 120).")
  private int joinSeconds = 120;

  @Option(
      names = "--dead-after",
      paramLabel = "SECONDS",
      description = "After how much silence a worker counts as lost (default: 10).")
  private int silenceSeconds = 10;

  /**
   * As {@link #forWorkers} has told them to a worker.
   *
   * @param value of an option, if it was said
   */
  static ClusterOptions told(Function<String, Optional<String>> value, boolean insecure) {
    ClusterOptions options = new ClusterOptions();
    value
        .apply("--tls")
        .ifPresent(when -> options.tls = TlsPolicy.valueOf(when.toUpperCase(Locale.ROOT)));
    options.insecure = insecure;
    options.portBase = value.apply("--port-base").map(Integer::parseInt).orElse(0);
    value
        .apply("--join-within")
        .ifPresent(seconds -> options.joinSeconds = Integer.parseInt(seconds));
    return options;
  }

  public TlsPolicy tls() {
    return tls;
  }

  /** Where the coordinator listens; 0 for a free port. */
  public int coordinatorPort() {
    requirePort("--port-base", portBase);
    return portBase;
  }

  /** Refuses what is no port, before anybody listens on it; 0 stands for a free one. */
  static void requirePort(String option, int port) {
    if (port < 0 || port > LAST_PORT) {
      throw new UserException("ports go from 1 to %d: %s=%d".formatted(LAST_PORT, option, port));
    }
  }

  /** Where a worker listens; 0 for a free port. */
  public int port(int rank) {
    requirePort("--port-base", portBase);
    if (portBase != 0 && portBase + 1 + rank > LAST_PORT) {
      throw new UserException(
          "worker %d would listen on port %d, and ports go from 1 to %d: take a lower --port-base"
              .formatted(rank, portBase + 1 + rank, LAST_PORT));
    }
    return portBase == 0 ? 0 : portBase + 1 + rank;
  }

  public Patience patience(Experiment experiment) {
    Duration stall =
        experiment.runtime().settings() instanceof LiveRuntime.Settings live
            ? live.stallAfter()
            : Patience.USUAL.stall();
    return Patience.USUAL
        .withStall(stall)
        .withJoin(Duration.ofSeconds(joinSeconds))
        .withSilence(Duration.ofSeconds(silenceSeconds));
  }

  /**
   * This process's identity; none where all are on one machine and nothing is to be encrypted.
   *
   * @param name what to call it in a certificate of its own making
   */
  public Optional<WorkerIdentity> identity(String name, boolean onlyLoopback) {
    if (identity != null) {
      return Optional.of(WorkerIdentity.load(identity));
    }
    boolean needsNone = tls == TlsPolicy.NEVER || (tls == TlsPolicy.AUTO && onlyLoopback);
    return needsNone ? Optional.empty() : Optional.of(WorkerIdentity.selfSigned(name));
  }

  public LinkSecurity security(RunSecret secret, Optional<WorkerIdentity> own) {
    if (own.isPresent()) {
      return LinkSecurity.of(secret, own.get(), tls, insecure);
    }
    return tls == TlsPolicy.NEVER && insecure
        ? LinkSecurity.of(secret, WorkerIdentity.selfSigned("Grapevine"), tls, true)
        : LinkSecurity.loopback(secret);
  }

  /** What a worker is to be told of them. */
  List<String> forWorkers() {
    List<String> arguments = new ArrayList<>();
    if (tls != TlsPolicy.AUTO) {
      arguments.addAll(List.of("--tls", tls.name().toLowerCase(Locale.ROOT)));
    }
    if (insecure) {
      arguments.add("--insecure");
    }
    if (portBase != 0) {
      arguments.addAll(List.of("--port-base", "" + portBase));
    }
    if (joinSeconds != 120) {
      arguments.addAll(List.of("--join-within", "" + joinSeconds));
    }
    return arguments;
  }

  /** In a word, for the record. */
  String encryption() {
    return tls.name().toLowerCase(Locale.ROOT);
  }
}
