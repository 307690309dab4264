package dev.grapevine.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.cluster.Coordinator;
import dev.grapevine.cluster.Joining;
import dev.grapevine.cluster.Patience;
import dev.grapevine.cluster.Placement;
import dev.grapevine.cluster.Rank;
import dev.grapevine.cluster.Rendezvous;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.experiment.Parts;
import dev.grapevine.runtime.live.LiveRuntime;
import dev.grapevine.security.LinkSecurity;
import dev.grapevine.security.RunSecret;
import dev.grapevine.security.TlsPolicy;
import dev.grapevine.security.WorkerIdentity;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/** Workers in one process that know each other only over the network. */
final class WorkersHere {

  private final Path data;
  private final RunSecret secret = RunSecret.random();

  /** Of workers by rank, and of the coordinator by -1; none unless given. */
  private final IntFunction<Optional<WorkerIdentity>> identities;

  /** The workers by rank, once they have run. */
  final Map<Integer, WorkerRun> workers = new TreeMap<>();

  final List<String> notes = new ArrayList<>();

  WorkersHere(Path data) {
    this(data, rank -> Optional.empty());
  }

  WorkersHere(Path data, IntFunction<Optional<WorkerIdentity>> identities) {
    this.data = data;
    this.identities = identities;
  }

  private LinkSecurity security(int rank) {
    return identities
        .apply(rank)
        .map(identity -> LinkSecurity.of(secret, identity, TlsPolicy.ALWAYS, false))
        .orElseGet(() -> LinkSecurity.loopback(secret));
  }

  /** Runs an experiment with so many workers in this process. */
  CoordinatedRun.Ended run(Experiment experiment, int count, Path target) throws Exception {
    return run(
        Run.of(experiment).into(target).savesModels(true).listener(noting()), count, run -> {});
  }

  /**
   * The same of a run that may be resumed.
   *
   * @param whenReady gets the run as it is coordinated, before it starts
   */
  CoordinatedRun.Ended run(Run run, int count, Consumer<CoordinatedRun> whenReady)
      throws Exception {
    Experiment experiment = run.experiment();
    InetAddress loopback = InetAddress.getLoopbackAddress();
    try (Coordinator coordinator = new Coordinator(security(-1), loopback, 0);
        ExecutorService threads =
            Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
      List<Future<Integer>> codes = new ArrayList<>();
      Parts parts = CoordinatedRun.parts(experiment, data);
      Placement placement = Placement.blocks(parts.learners(), parts.nodes(), count);
      CoordinatedRun coordinated =
          new CoordinatedRun(run, parts, placement, Patience.USUAL, "auto");
      for (int rank = 0; rank < count; rank++) {
        Rank own = new Rank(rank, count);
        workers.put(rank, worker(run, placement, own));
        codes.add(threads.submit(() -> work(own, coordinator)));
      }
      whenReady.accept(coordinated);
      CoordinatedRun.Ended ended = coordinated.start(coordinator);
      for (Future<Integer> code : codes) {
        assertThat(code.get()).isEqualTo(ended.exitCode());
      }
      return ended;
    }
  }

  private WorkerRun worker(Run run, Placement placement, Rank rank) {
    Experiment experiment = run.experiment();
    Parts parts = CoordinatedRun.parts(experiment, data);
    LiveRuntime.Settings settings = (LiveRuntime.Settings) experiment.runtime().settings();
    return run.from == Continuation.NONE
        ? new WorkerRun(experiment, parts, placement, rank, List.of())
        : WorkerRun.goingOn(
            ResumedWork.after(
                run.directory().path(),
                run.firstRound(),
                // What may be set anew must be the same for all.
                List.of("runtime.threads=" + settings.threads())),
            parts,
            placement,
            rank,
            List.of());
  }

  private ProgressListener noting() {
    return new ProgressListener() {
      @Override
      public void progress(RunProgress progress) {}

      @Override
      public void note(String text) {
        notes.add(text);
      }
    };
  }

  private int work(Rank rank, Coordinator coordinator) throws InterruptedException {
    return workers
        .get(rank.rank())
        .start(
            new Joining(
                rank,
                security(rank.rank()),
                identities.apply(rank.rank()),
                new Joining.Manner(Optional.empty(), 0, 2, 1 << 20, Patience.USUAL)),
            new Rendezvous.At("127.0.0.1", coordinator.port()),
            (session, part) -> {});
  }

  /** The models that a run has kept, by node. */
  static List<byte[]> models(Path run) throws IOException {
    List<byte[]> models = new ArrayList<>();
    for (int node = 0;
        Files.exists(run.resolve("models/node-%d.safetensors".formatted(node)));
        node++) {
      models.add(Files.readAllBytes(run.resolve("models/node-%d.safetensors".formatted(node))));
    }
    return models;
  }
}
