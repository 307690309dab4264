package dev.grapevine.app.cluster;

import dev.grapevine.app.log.LogLevel;
import dev.grapevine.app.log.RunLog;
import dev.grapevine.app.run.TidyHeap;
import dev.grapevine.cluster.Joining;
import dev.grapevine.cluster.Placement;
import dev.grapevine.cluster.Rank;
import dev.grapevine.cluster.Rendezvous;
import dev.grapevine.cluster.WorkerSession;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.experiment.Parts;
import dev.grapevine.launch.ResumedWork;
import dev.grapevine.launch.WorkerRun;
import dev.grapevine.security.LinkSecurity;
import dev.grapevine.security.RunSecret;
import dev.grapevine.security.WorkerIdentity;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How a process takes part in a run as one of its workers, whoever has started it. */
final class WorkerPart {

  /**
   * What there is to do.
   *
   * @param resumed what the nodes go on from, if they do not begin
   */
  record Work(Experiment experiment, Optional<ResumedWork> resumed) {

    WorkerRun run(Parts parts, Placement placement, Rank rank, List<String> command) {
      return resumed
          .map(from -> WorkerRun.goingOn(from, parts, placement, rank, command))
          .orElseGet(() -> new WorkerRun(experiment, parts, placement, rank, command));
    }
  }

  private final Rank rank;
  private final RunSecret secret;
  private final ClusterOptions options;
  private final Optional<String> advertise;
  private final int port;
  private final LogLevel logLevel;
  private volatile @Nullable WorkerSession session;

  /**
   * @param advertise the address at which others reach it, if not the one it reaches them from
   * @param port where it listens, 0 for what the options say
   */
  WorkerPart(
      Rank rank,
      RunSecret secret,
      ClusterOptions options,
      Optional<String> advertise,
      int port,
      LogLevel logLevel) {
    this.rank = rank;
    this.secret = secret;
    this.options = options;
    this.advertise = advertise;
    this.port = port;
    this.logLevel = logLevel;
  }

  Rank rank() {
    return rank;
  }

  /** How connections of this process are secured, for one who has a name of its own. */
  LinkSecurity security(String name, Rendezvous meeting) {
    return options.security(secret, options.identity(name, isLoopback(meeting)));
  }

  /**
   * Takes part to the end of the run.
   *
   * @param errors takes warnings, besides the log
   * @param joined hears when all workers are there
   * @return with what this process is to end
   */
  int start(
      WorkerRun worker,
      Experiment experiment,
      Rendezvous meeting,
      OutputStream errors,
      Runnable joined)
      throws InterruptedException {
    Optional<WorkerIdentity> identity =
        options.identity("worker " + rank.rank(), isLoopback(meeting));
    int here = Rank.onThisMachine(System.getenv()).orElse(1);
    Joining joining =
        new Joining(
            rank,
            options.security(secret, identity),
            identity,
            new Joining.Manner(
                advertise,
                port > 0 ? port : options.port(rank.rank()),
                here,
                (int) experiment.network().payloadLimit().bytes(),
                options.patience(experiment)));
    try (RunLog log = new RunLog(logLevel, errors);
        TidyHeap heap = TidyHeap.ofOneOf(here)) {
      return worker.start(
          joining,
          meeting,
          (own, part) -> {
            session = own;
            joined.run();
            log.into(part.logFile());
            log.passOn(own::line);
          });
    }
  }

  /** Asks all workers to save the run and to stop then; false if they cannot. */
  boolean stop() {
    WorkerSession own = session;
    return own != null && own.cutting().saveAndStop();
  }

  /** Whoever has started this process is gone, and it ends; the coordinator may live on. */
  void leave() {
    WorkerSession own = session;
    if (own != null) {
      own.leave("whoever had started it is gone");
    }
  }

  private static boolean isLoopback(Rendezvous meeting) {
    if (!(meeting instanceof Rendezvous.At at)) {
      return false;
    }
    InetAddress address = new InetSocketAddress(at.host(), at.port()).getAddress();
    return address != null && address.isLoopbackAddress();
  }
}
