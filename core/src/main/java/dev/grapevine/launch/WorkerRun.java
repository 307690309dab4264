package dev.grapevine.launch;

import dev.grapevine.checkpoint.Checkpoints;
import dev.grapevine.cluster.Event;
import dev.grapevine.cluster.Joining;
import dev.grapevine.cluster.Placement;
import dev.grapevine.cluster.Rank;
import dev.grapevine.cluster.Rendezvous;
import dev.grapevine.cluster.WorkerCuts;
import dev.grapevine.cluster.WorkerSession;
import dev.grapevine.engine.Safetensors;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.experiment.Parts;
import dev.grapevine.experiment.StopSettings;
import dev.grapevine.learning.ModelLearner;
import dev.grapevine.privacy.Privacy;
import dev.grapevine.results.HostName;
import dev.grapevine.results.MetricsWriter;
import dev.grapevine.results.Provenance;
import dev.grapevine.results.RunDirectory;
import dev.grapevine.runtime.Cuts;
import dev.grapevine.runtime.Outcome;
import dev.grapevine.runtime.Saving;
import dev.grapevine.security.masking.Session;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** One worker's part of a run in many processes. */
public final class WorkerRun {

  /** How long the coordinator may take to hear a worker out. */
  private static final Duration FAREWELL = Duration.ofSeconds(60);

  private static final int PIECE = 256 << 10;

  /** Hears how a worker gets on. */
  public interface Listener {

    /**
     * It has joined and is connected to the others.
     *
     * @param part where it records what its nodes do
     */
    void joined(WorkerSession session, RunDirectory part);
  }

  private final Experiment experiment;
  private final Assembly assembly;
  private final Rank rank;
  private final int[] nodes;
  private final List<String> command;
  private final Continuation from;

  /**
   * Builds the worker's nodes.
   *
   * @param command what was typed to start it; recorded
   */
  public WorkerRun(
      Experiment experiment, Parts parts, Placement placement, Rank rank, List<String> command) {
    this(experiment, parts, placement, rank, command, Continuation.NONE);
  }

  private WorkerRun(
      Experiment experiment,
      Parts parts,
      Placement placement,
      Rank rank,
      List<String> command,
      Continuation from) {
    this.experiment = experiment;
    this.rank = rank;
    this.nodes = placement.nodesOf(rank.rank());
    this.command = List.copyOf(command);
    this.assembly =
        new Assembly(experiment, parts, node -> placement.workerOf(node) == rank.rank(), from);
    this.from = from;
  }

  /** A worker whose nodes go on from a cut of their run. */
  public static WorkerRun goingOn(
      ResumedWork work, Parts parts, Placement placement, Rank rank, List<String> command) {
    return new WorkerRun(work.experiment(), parts, placement, rank, command, work.from());
  }

  /**
   * Takes part in the run to its end; an interrupt stops it for all.
   *
   * @return with what this process is to end
   */
  public int start(Joining joining, Rendezvous rendezvous, Listener listener)
      throws InterruptedException {
    Joining.Papers papers =
        new Joining.Papers(
            Version.TEXT,
            nodes,
            Fingerprint.of(experiment),
            Fingerprint.of(assembly),
            HostName.here(),
            from.firstRound());
    try (WorkerSession session = joining.join(rendezvous, papers)) {
      RunDirectory part = part(session, papers.data());
      listener.joined(session, part);
      agree(session);
      Outcome outcome = record(session, part);
      assembly
          .shareCounts()
          .ifPresent(counts ->
              counts
                  .byNode()
                  .forEach((node, all) ->
                      session.tell(new Event.ShareCounts(node, all, session.time()))));
      if (session.savesModels() && outcome.ending() != Outcome.Ending.FAILED) {
        handInModels(session);
      }
      // An interrupt has been passed on to all; what was recorded must still get there.
      Thread.interrupted();
      session.bye(ProcessMemory.peakBytes(), FAREWELL);
      return session.exitCode();
    }
  }

  /** Lets the nodes agree on keys with those of other workers, of whom they see public halves. */
  private void agree(WorkerSession session) throws InterruptedException {
    Privacy.Beginning secrets = assembly.begin(Session.drawn(session.session()));
    SortedMap<Integer, byte[]> shown = secrets.shown();
    assembly.share(secrets.knowing(shown.isEmpty() ? shown : session.exchangeKeys(shown)));
  }

  private Outcome record(WorkerSession session, RunDirectory part) {
    try (MetricsWriter metrics = part.metrics();
        Checkpoints saving = checkpoints(session, metrics)) {
      Recorder own =
          new Recorder(
              experiment,
              assembly,
              StopSettings.NEVER,
              metrics,
              part::writeLinks,
              part::log,
              progress -> {},
              RunClock.starting());
      Relay relay = new Relay(own, session);
      if (from.isNone()) {
        new Evaluations(experiment, assembly).beforeTraining(relay::beforeTraining);
      }
      Saving how =
          new Saving(
              saving == null ? Cuts.NONE : saving,
              from.resumption(),
              new ComingsAndGoings(experiment, assembly).areThere() ? assembly::again : null);
      Outcome outcome = assembly.runtime(session).run(assembly.plan(how, session.mended()), relay);
      own.end();
      own.writeLinks();
      return outcome;
    }
  }

  private @Nullable Checkpoints checkpoints(WorkerSession session, MetricsWriter metrics) {
    if (!experiment.checkpoint().isOn()) {
      return null;
    }
    Checkpoints saving =
        Checkpoints.ofWorker(
            new Checkpoints.Place(
                new RunDirectory(Path.of(session.directory())).checkpoints(),
                experiment.checkpoint(),
                Continuation.identity(experiment),
                metrics::flush,
                text -> session.line(true, text)),
            nodes,
            from.firstRound(),
            session.cutting()::written);
    session
        .cutting()
        .savedBy(
            new WorkerCuts.Saver() {
              @Override
              public int hold() {
                return saving.hold();
              }

              @Override
              public void saveAfter(int round) {
                saving.saveAfter(round);
              }
            });
    return saving;
  }

  /**
   * In the directory of the run where it can be seen; otherwise at the same path on this machine.
   */
  private RunDirectory part(WorkerSession session, String data) {
    RunDirectory part = new RunDirectory(Path.of(session.directory())).part(rank.rank());
    try {
      Files.createDirectories(part.path());
    } catch (IOException elsewhere) {
      part = new RunDirectory(temporary());
    }
    part.writeProvenance(
        Provenance.here(
            Version.TEXT,
            command,
            experiment.directory(),
            experiment.seed(),
            new LinkedHashMap<>(Map.of("compared on joining", data)),
            new LinkedHashMap<>(),
            new LinkedHashMap<>()));
    return part;
  }

  private Path temporary() {
    try {
      return Files.createTempDirectory("grapevine-worker-%d-".formatted(rank.rank()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void handInModels(WorkerSession session) {
    try {
      Path file = Files.createTempFile("grapevine-model-", ".safetensors");
      try {
        for (Map.Entry<Integer, ModelLearner> node : assembly.learners().entrySet()) {
          ModelLearner learner = node.getValue();
          Safetensors.write(
              file, learner.model(), learner.parameters(), learner.statistics(), Map.of());
          handIn(session, HandedIn.model(node.getKey()), file);
        }
      } finally {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("a model could not be handed in: " + e.getMessage(), e);
    }
  }

  private static void handIn(WorkerSession session, String name, Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] piece = in.readNBytes(PIECE);
      while (true) {
        byte[] next = in.readNBytes(PIECE);
        session.file(name, next.length == 0, piece);
        if (next.length == 0) {
          return;
        }
        piece = next;
      }
    }
  }
}
