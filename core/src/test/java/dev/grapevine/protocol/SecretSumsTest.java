package dev.grapevine.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.grapevine.exchange.Senders;
import dev.grapevine.network.NetworkSettings.TransportKind;
import dev.grapevine.privacy.SecureAggregation;
import dev.grapevine.privacy.SecureAggregation.MaskKind;
import dev.grapevine.privacy.Start;
import dev.grapevine.runtime.CirculantTopology;
import dev.grapevine.runtime.Clock;
import dev.grapevine.runtime.NodeRuntime;
import dev.grapevine.runtime.Outcome;
import dev.grapevine.runtime.Runs;
import dev.grapevine.runtime.fault.Fault;
import dev.grapevine.runtime.fault.FaultPolicy;
import dev.grapevine.runtime.fault.InjectedFault;
import dev.grapevine.runtime.report.Observer;
import dev.grapevine.security.masking.Secrets;
import dev.grapevine.security.masking.Session;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.sharing.SharingContext;
import dev.grapevine.topology.Topology;
import dev.grapevine.topology.TopologyContext;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Masked runs end with the very models of their unmasked twins, and near those in the open. */
@Timeout(120)
class SecretSumsTest {

  private static final Topology DENSE = new CirculantTopology(Trial.LEARNERS, 2);

  /** One entry for each protocol whose senders know each other. */
  static List<Entry> protocols() {
    Map<String, Entry> first = new LinkedHashMap<>();
    for (Entry entry : Entry.all()) {
      Protocol protocol =
          entry.choice().create(new ProtocolContext(0, Trial.LEARNERS, 1, DENSE, new Shared()));
      if (!(protocol.senders(DENSE) instanceof Senders.Unknown)) {
        first.putIfAbsent(entry.kind(), entry);
      }
    }
    return List.copyOf(first.values());
  }

  @Test
  void theProtocolsThatMatterAreAmongThem() {
    assertThat(protocols().stream().map(Entry::kind))
        .contains(
            "d-psgd",
            "el-oracle",
            "peer-sampler",
            "dynamic-graph",
            "knn",
            "federated",
            "fedopt",
            "gradient-tracking",
            "d2",
            "qg-dsgdm")
        .doesNotContain("ad-psgd", "gossip", "random-walk", "push-sum", "relaysgd", "scaffold");
  }

  private static SecureAggregation aggregation(MaskKind masks, int bits, int least) {
    return new SecureAggregation(
        new SecureAggregation.Settings(
            least, OptionalInt.empty(), bits, 16, masks, Optional.empty()));
  }

  private static void hide(Trial trial, NodeRuntime runtime, SecureAggregation privacy) {
    SecureRandom random = new SecureRandom();
    Session session = runtime.isSimulated() ? Session.drawn("trial") : Session.fresh(random);
    FaultPolicy policy = trial.policy;
    var secrets =
        privacy.begin(
            new Start(
                trial.nodes.size(),
                1,
                session,
                node -> runtime.isSimulated() ? Secrets.drawn(session, node) : Secrets.of(random),
                IntStream.range(0, trial.nodes.size()).toArray(),
                policy.missing() != FaultPolicy.Missing.GO_ON
                    && policy.failedNode() == FaultPolicy.FailedNode.END));
    var nodes = secrets.knowing(secrets.shown());
    for (int node = 0; node < trial.nodes.size(); node++) {
      trial.nodes.set(node, trial.nodes.get(node).with(nodes.of(node)));
    }
  }

  private static final Function<SharingContext, Encoding> FULL =
      Entry.REGISTRY.choose(Encoding.FAMILY, "full", "")::create;

  private record Result(List<float[]> models, Outcome outcome, Map<String, Double> figures) {}

  /** Runs a trial, masked in some way or in the open. */
  private static Result run(
      Entry entry,
      Topology topology,
      Function<SharingContext, Encoding> sharing,
      NodeRuntime runtime,
      int rounds,
      Optional<SecureAggregation> privacy,
      FaultPolicy policy,
      List<InjectedFault> faults) {
    Trial trial = new Trial(entry, 1, 0.1, topology, sharing, false);
    trial.policy = policy;
    trial.faults = faults;
    Map<String, Double> figures = new ConcurrentHashMap<>();
    trial.observer =
        new Observer() {
          @Override
          public boolean linksDue(int round) {
            return true;
          }

          @Override
          public void record(int node, int round, String metric, double value, Duration time) {
            if (round == rounds - 1) {
              figures.merge(metric, value, Double::sum);
            }
          }
        };
    privacy.ifPresent(kind -> hide(trial, runtime, kind));
    Outcome outcome = trial.run(runtime, rounds);
    return new Result(trial.results(), outcome, figures);
  }

  @ParameterizedTest
  @MethodSource("protocols")
  void everyProtocolEndsWithTheModelsOfItsTwin(Entry entry) {
    Function<Optional<SecureAggregation>, Result> trial =
        privacy ->
            run(entry, DENSE, FULL, Runs.simulated(2), 8, privacy, FaultPolicy.WAIT, List.of());
    // Links of a dynamic graph come and go; two are enough.
    Result real = trial.apply(Optional.of(aggregation(MaskKind.REAL, 32, 2)));
    Result none = trial.apply(Optional.of(aggregation(MaskKind.NONE, 32, 2)));
    Result open = trial.apply(Optional.empty());
    assertThat(real.outcome.ending()).isEqualTo(Outcome.Ending.DONE);
    assertSame(real.models, none.models);
    assertThat(real.figures).containsEntry("secure_skipped", 0.0);
    // There links are agreed on by messages, which take other times.
    if (!entry.kind().equals("dynamic-graph")) {
      assertNear(real.models, open.models, 1e-5f);
    }
    assertThat(real.outcome.traceHash()).isNotEqualTo(none.outcome.traceHash());
  }

  @ParameterizedTest
  @ValueSource(strings = {"d-psgd", "el-oracle", "peer-sampler", "federated", "gradient-tracking"})
  void liveRunsEndWithTheSameModels(String kind) {
    Entry entry =
        protocols().stream().filter(each -> each.kind().equals(kind)).findFirst().orElseThrow();
    List<float[]> expected =
        run(
                entry,
                DENSE,
                FULL,
                Runs.simulated(1),
                6,
                Optional.of(aggregation(MaskKind.NONE, 32, 3)),
                FaultPolicy.WAIT,
                List.of())
            .models;
    for (Clock clock : List.of(Clock.LIVE_IN_MEMORY, Clock.LIVE_OVER_TCP)) {
      for (FaultPolicy policy :
          List.of(FaultPolicy.WAIT, FaultPolicy.goOn(Duration.ofSeconds(20)))) {
        Result real =
            run(
                entry,
                DENSE,
                FULL,
                clock.runtime(),
                6,
                Optional.of(aggregation(MaskKind.REAL, 32, 3)),
                policy,
                List.of());
        assertThat(real.outcome.ending())
            .as("%s", real.outcome.reason())
            .isEqualTo(Outcome.Ending.DONE);
        assertSame(real.models, expected);
      }
    }
  }

  static List<String> graphs() {
    return List.of(
        "regular|degree = 5",
        "regular|degree = 4\nredraw-every = 1",
        "small-world|degree = 4\nrewire = 0.5\nredraw-every = 1",
        "erdos-renyi|probability = 0.5",
        "erdos-renyi|probability = 0.5\nredraw-every = 3",
        "random-out|degree = 4");
  }

  /** Fixed and redrawn, regular and not, even one-way; where a node has too few, it sits out. */
  @ParameterizedTest
  @MethodSource("graphs")
  void fiftyRoundsOnAnyGraphAreBitEqual(String graph) {
    String[] words = graph.split("\\|");
    Topology topology =
        Entry.REGISTRY
            .choose(Topology.FAMILY, words[0], words[1])
            .create(new TopologyContext(12, 7, Path.of("")));
    Entry entry = protocols().getFirst();
    for (FaultPolicy policy : List.of(FaultPolicy.WAIT, FaultPolicy.goOn(Duration.ofSeconds(5)))) {
      Function<MaskKind, Result> trial =
          masks ->
              run(
                  entry,
                  topology,
                  FULL,
                  Runs.simulated(2),
                  50,
                  Optional.of(aggregation(masks, 32, 3)),
                  policy,
                  List.of());
      Result real = trial.apply(MaskKind.REAL);
      Result none = trial.apply(MaskKind.NONE);
      assertSame(real.models, none.models);
      assertThat(real.figures.get("secure_skipped")).isEqualTo(none.figures.get("secure_skipped"));
      assertThat(real.outcome.virtualTime()).isEqualTo(none.outcome.virtualTime());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "round-robin|alpha = 0.3",
        "subsampling|alpha = 0.4\ndraw = \"common\"",
        "partial|rank = \"round-robin\"\ntransform = \"wavelet\"\nalpha = 0.5",
        "partial|rank = \"random\"\ndraw = \"common\"\ntransform = \"fourier\"\nalpha = 0.5"
      })
  void schemesWithCommonCoordinatesAreMasked(String scheme) {
    String[] words = scheme.split("\\|");
    Function<SharingContext, Encoding> sharing =
        Entry.REGISTRY.choose(Encoding.FAMILY, words[0], words[1])::create;
    Entry entry = protocols().getFirst();
    List<Result> results = new ArrayList<>();
    for (MaskKind masks : MaskKind.values()) {
      results.add(
          run(
              entry,
              DENSE,
              sharing,
              Runs.simulated(2),
              20,
              Optional.of(aggregation(masks, 32, 3)),
              FaultPolicy.WAIT,
              List.of()));
    }
    Result open =
        run(
            entry,
            DENSE,
            sharing,
            Runs.simulated(2),
            20,
            Optional.empty(),
            FaultPolicy.WAIT,
            List.of());
    assertSame(results.getFirst().models, results.getLast().models);
    assertNear(results.getFirst().models, open.models, 1e-4f);
  }

  @Test
  void sixteenBitsAreBitEqualTooAndNotFarOff() {
    Entry entry = protocols().getFirst();
    List<List<float[]>> models = new ArrayList<>();
    for (MaskKind masks : MaskKind.values()) {
      models.add(
          run(
                  entry,
                  DENSE,
                  FULL,
                  Runs.simulated(2),
                  20,
                  Optional.of(aggregation(masks, 16, 3)),
                  FaultPolicy.WAIT,
                  List.of())
              .models);
    }
    Result open =
        run(
            entry,
            DENSE,
            FULL,
            Runs.simulated(2),
            20,
            Optional.empty(),
            FaultPolicy.WAIT,
            List.of());
    assertSame(models.getFirst(), models.getLast());
    assertNear(models.getFirst(), open.models, 0.02f);
  }

  /** A node that is lost, known to be or not, costs nobody else a round. */
  @ParameterizedTest
  @ValueSource(strings = {"d-psgd", "federated", "knn", "dynamic-graph"})
  void aLostNodeIsRecoveredFrom(String kind) {
    Entry entry =
        protocols().stream().filter(each -> each.kind().equals(kind)).findFirst().orElseThrow();
    for (Fault fault : List.of(Fault.THROWS, Fault.STOPS_SILENTLY)) {
      List<Result> results = new ArrayList<>();
      for (MaskKind masks : MaskKind.values()) {
        results.add(
            run(
                entry,
                DENSE,
                FULL,
                Runs.simulated(2),
                12,
                Optional.of(aggregation(masks, 32, 3)),
                FaultPolicy.goOn(Duration.ofSeconds(2)),
                List.of(new InjectedFault(fault, 3, 4))));
      }
      assertSame(results.getFirst().models, results.getLast().models);
      Map<String, Double> figures = results.getFirst().figures;
      assertThat(figures.get("secure_recovered")).as("%s %s", kind, fault).isPositive();
      // Where nobody knows, those who wait for a lost node keep others waiting in turn.
      if (!kind.equals("dynamic-graph") && fault == Fault.THROWS) {
        assertThat(figures.get("secure_skipped")).as("%s %s", kind, fault).isZero();
      }
    }
  }

  @Test
  void masksTakeVirtualTimeWhereARateIsGiven() {
    Entry entry = protocols().getFirst();
    Result quick =
        run(
            entry,
            DENSE,
            FULL,
            Runs.simulated(1),
            5,
            Optional.of(aggregation(MaskKind.REAL, 32, 3)),
            FaultPolicy.WAIT,
            List.of());
    SecureAggregation slow =
        new SecureAggregation(
            new SecureAggregation.Settings(
                3,
                OptionalInt.empty(),
                32,
                16,
                MaskKind.NONE,
                Optional.of(dev.grapevine.settings.Bandwidth.parse("4.8 kB/s"))));
    Result taking =
        run(
            entry,
            DENSE,
            FULL,
            Runs.simulated(1),
            5,
            Optional.of(slow),
            FaultPolicy.WAIT,
            List.of());
    // Four receivers, three masks each, ten values of four bytes: 480 bytes, a tenth of a second.
    assertThat(
            taking
                .outcome
                .virtualTime()
                .orElseThrow()
                .minus(quick.outcome.virtualTime().orElseThrow()))
        .isBetween(Duration.ofMillis(499), Duration.ofMillis(501));
    assertSame(taking.models, quick.models);
  }

  @Test
  void aRunCanGoOnAfterAnotherOverTcp() {
    Result one =
        run(
            protocols().getFirst(),
            DENSE,
            FULL,
            Runs.live(TransportKind.TCP),
            3,
            Optional.of(aggregation(MaskKind.REAL, 32, 3)),
            FaultPolicy.goOn(Duration.ofSeconds(20)),
            List.of());
    assertThat(one.outcome.ending()).isEqualTo(Outcome.Ending.DONE);
    assertThat(one.figures).containsEntry("secure_skipped", 0.0);
  }

  private static void assertSame(List<float[]> models, List<float[]> others) {
    for (int node = 0; node < models.size(); node++) {
      assertThat(models.get(node)).as("node %d", node).containsExactly(others.get(node));
    }
  }

  private static void assertNear(List<float[]> models, List<float[]> others, float far) {
    for (int node = 0; node < models.size(); node++) {
      for (int i = 0; i < models.get(node).length; i++) {
        assertThat(models.get(node)[i]).isEqualTo(others.get(node)[i], within(far));
      }
    }
  }
}
