package dev.grapevine.launch;

import static dev.grapevine.launch.WorkersHere.models;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.grapevine.UserException;
import dev.grapevine.cluster.Placement;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.experiment.Parts;
import dev.grapevine.runtime.Outcome;
import dev.grapevine.security.Authority;
import dev.grapevine.security.CertifiedParty;
import dev.grapevine.security.Greeting;
import dev.grapevine.security.WorkerIdentity;
import dev.grapevine.topology.NodeSet;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Secure aggregation between workers that have only told each other public keys. */
final class MaskedWorkersTest {

  @TempDir private Path folder;

  private static final String EXPERIMENT =
      """
      name = "masked"
      rounds = 4
      seed = 7
      [nodes]
      count = 9
      same-start = false
      [topology]
      kind = "small-world"
      degree = 6
      rewire = 0.3
      [data]
      set = "digits"
      partition = "iid"
      [model]
      kind = "mlp"
      hidden = 8
      [training]
      steps = 2
      batch-size = 4
      [evaluation]
      every = 2
      samples = 50
      [privacy]
      kind = "secure-aggregation"
      """;

  private static final String LOSSES =
      """
      [faults]
      missing = "go-on"
      deadline = "5 min"
      failed-node = "drop"
      inject = [{fault = "throws", node = 5, from-round = 2}]
      """;

  private static Experiment experiment(String text, String... assignments) {
    return Experiment.parse(text, Path.of("masked.toml")).with(List.of(assignments));
  }

  private List<byte[]> alone(Experiment experiment, String name) throws Exception {
    Path target = folder.resolve(name);
    RunResult result = Run.of(experiment).into(target).savesModels(true).start();
    assertThat(result.outcome().ending()).isEqualTo(Outcome.Ending.DONE);
    return models(target);
  }

  @Test
  void singleMasksGiveTheModelsOfOneProcessAndOfTheTwin() throws Exception {
    List<byte[]> alone = alone(experiment(EXPERIMENT), "alone");
    WorkersHere masked = new WorkersHere(folder);
    CoordinatedRun.Ended ended = masked.run(experiment(EXPERIMENT), 4, folder.resolve("masked"));
    assertThat(ended.result().outcome().reason()).isEmpty();
    assertThat(models(folder.resolve("masked"))).hasSize(9).containsExactlyElementsOf(alone);
    CoordinatedRun.Ended twin =
        new WorkersHere(folder)
            .run(experiment(EXPERIMENT, "privacy.masks=none"), 2, folder.resolve("twin"));
    assertThat(twin.exitCode()).isZero();
    assertThat(models(folder.resolve("twin"))).containsExactlyElementsOf(alone);
    assertThat(masked.notes)
        .anyMatch(note -> note.contains("hides the models of each worker's nodes"));
  }

  @Test
  void doubleMasksOutliveALostNodeInWorkersWithCertificates() throws Exception {
    Experiment experiment = experiment(EXPERIMENT + LOSSES);
    List<byte[]> alone = alone(experiment, "alone");
    Map<Integer, WorkerIdentity> certified = certified(List.of("0-2", "3-5", "6-8"));
    WorkersHere masked = new WorkersHere(folder, rank -> Optional.ofNullable(certified.get(rank)));
    CoordinatedRun.Ended ended = masked.run(experiment, 3, folder.resolve("masked"));
    assertThat(ended.exitCode()).isZero();
    assertThat(models(folder.resolve("masked"))).hasSize(9).containsExactlyElementsOf(alone);
    assertThat(masked.notes)
        .anyMatch(note -> note.contains("signed by certificates of an authority"));
    holdOnlyTheirOwn(masked);
  }

  private static Map<Integer, WorkerIdentity> certified(List<String> nodes) {
    Authority authority = Authority.create(Duration.ofDays(1));
    Map<Integer, WorkerIdentity> identities = new HashMap<>();
    identities.put(
        Greeting.COORDINATOR,
        authority.issue(
            new CertifiedParty(Greeting.COORDINATOR, Optional.empty()), Duration.ofDays(1)));
    for (int rank = 0; rank < nodes.size(); rank++) {
      identities.put(
          rank,
          authority.issue(
              new CertifiedParty(rank, Optional.of(NodeSet.parse(nodes.get(rank), 100))),
              Duration.ofDays(1)));
    }
    return identities;
  }

  /** Looks through everything that each worker still holds after the run. */
  private static void holdOnlyTheirOwn(WorkersHere run) {
    List<Belongings> all = new ArrayList<>();
    run.workers.values().forEach(worker -> all.add(Belongings.of(worker)));
    for (int rank = 0; rank < all.size(); rank++) {
      Belongings own = all.get(rank);
      assertThat(own.nodes()).containsExactly(3 * rank, 3 * rank + 1, 3 * rank + 2);
      // The search finds what is there.
      assertThat(own.holds(own.secretOf(3 * rank))).isTrue();
      assertThat(own.pairs()).isNotEmpty();
      for (int other = 0; other < all.size(); other++) {
        if (other != rank) {
          Belongings theirs = all.get(other);
          for (int node : theirs.nodes()) {
            assertThat(own.holds(theirs.secretOf(node))).as("secret of node " + node).isFalse();
          }
          // What two nodes elsewhere agreed on is not here either.
          theirs.pairsAmongOwn().forEach(keys -> assertThat(own.holds(keys)).isFalse());
        }
      }
      assertThat(own.pairsAmongOwn()).allMatch(own::holds);
    }
  }

  @Test
  void whatWouldShowTheCoordinatorSumsOfModelsIsRefused() {
    for (String what : List.of("average-model", "consensus")) {
      Experiment experiment = experiment(EXPERIMENT, "evaluation." + what + "=true");
      assertThatThrownBy(() -> new WorkersHere(folder).run(experiment, 2, folder.resolve("not")))
          .isInstanceOf(UserException.class)
          .hasMessageStartingWith("evaluation." + what + " shows the coordinator the sum");
    }
  }

  /** Started, resumed, started once more after a failure, forked: never a key of another start. */
  @Test
  void everyStartHasKeysOfItsOwn() {
    Experiment simulated = experiment(EXPERIMENT, "runtime.kind=simulated");
    Experiment forked = simulated.with("training.rate", "0.02");
    Set<String> sessions = new HashSet<>();
    for (Experiment each : List.of(simulated, forked)) {
      for (int firstRound : new int[] {0, 2, 3}) {
        for (int times = 0; times < 3; times++) {
          assertThat(sessions.add(Assembly.session(each, true, firstRound, times).toString()))
              .isTrue();
        }
      }
    }
    Experiment live = experiment(EXPERIMENT);
    assertThat(sessions.add(Assembly.session(live, false, 0, 0).toString())).isTrue();
    assertThat(sessions.add(Assembly.session(live, false, 0, 0).toString())).isTrue();
    List<Belongings> starts =
        List.of(
            Belongings.of(new Assembly(simulated, folder)),
            Belongings.of(new Assembly(simulated, folder, Continuation.again(1))),
            Belongings.of(new Assembly(forked, folder)),
            Belongings.of(new Assembly(live, folder)),
            Belongings.of(new Assembly(live, folder)));
    for (Belongings one : starts) {
      for (Belongings other : starts) {
        for (int node : one.nodes()) {
          assertThat(other.holds(one.secretOf(node))).isEqualTo(one == other);
        }
      }
    }
  }

  @Test
  void aWorkerThatCanSolveForSomebodyIsNamed() {
    Experiment four =
        experiment(EXPERIMENT, "topology={kind=\"fully-connected\"}", "nodes.count=4");
    Parts parts = CoordinatedRun.parts(four, folder);
    Placement uneven = Placement.of(4, 4, List.of(new int[] {0, 1, 3}, new int[] {2}));
    assertThat(new WorkersSecrecy(four, parts, uneven).notes(false))
        .hasSize(2)
        .last()
        .asString()
        .startsWith("worker 0 can solve for the models of 1 node of others (2)");
    Placement even = Placement.blocks(4, 4, 2);
    assertThat(new WorkersSecrecy(four, parts, even).notes(false)).hasSize(1);
  }
}
