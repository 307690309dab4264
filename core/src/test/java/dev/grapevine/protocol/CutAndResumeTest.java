package dev.grapevine.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.network.NetworkSettings.TransportKind;
import dev.grapevine.runtime.CirculantTopology;
import dev.grapevine.runtime.MemoryCuts;
import dev.grapevine.runtime.NodeRuntime;
import dev.grapevine.runtime.Outcome;
import dev.grapevine.runtime.Runs;
import dev.grapevine.runtime.Saving;
import dev.grapevine.runtime.fault.FaultPolicy;
import dev.grapevine.runtime.report.NodeOutcome;
import dev.grapevine.runtime.report.Traffic;
import dev.grapevine.settings.Choice;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.sharing.SharingContext;
import dev.grapevine.state.State;
import dev.grapevine.topology.Topology;
import java.time.Duration;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A run that goes on from a cut ends as one that was never cut: models, bytes, trace hash. */
final class CutAndResumeTest {

  private static final int ROUNDS = 8;
  private static final int EVERY = 3;
  private static final Topology TOPOLOGY = new CirculantTopology(7, 2);

  static Stream<Arguments> cases() {
    Stream<Arguments> all = Entry.all().stream().map(entry -> Arguments.of(entry, "full", ""));
    Stream<Arguments> schemes =
        Stream.of(
                entry("d-psgd", ""),
                entry("gradient-tracking", ""),
                entry("el-oracle", "peers = 4"),
                entry("push-sum", ""),
                entry("federated", "fraction = 0.5"),
                entry("gossip", "direction = \"push-pull\""))
            .flatMap(entry ->
                Stream.of(
                        Arguments.of(entry, "subsampling", "alpha = 0.3"),
                        Arguments.of(entry, "jwins++", "alpha = 0.3"),
                        Arguments.of(entry, "choco", "neighbours = \"changing\""),
                        Arguments.of(entry, "qsgd", "bits = 5\nbucket = 7"))
                    .filter(arguments -> fits(entry, arguments)));
    return Stream.concat(all, schemes);
  }

  private static Entry entry(String kind, String settings) {
    return Entry.all().stream()
        .filter(entry -> entry.kind().equals(kind) && entry.settings().equals(settings))
        .findFirst()
        .orElseThrow();
  }

  private static boolean fits(Entry entry, Arguments arguments) {
    Trial trial = trial(entry, scheme(arguments.get()), node -> State.fresh());
    return trial
        .nodes
        .getFirst()
        .protocol()
        .objection(trial.nodes.getFirst().encoding(), trial.nodes.getFirst().aggregator(), TOPOLOGY)
        .isEmpty();
  }

  private static Choice<SharingContext, Encoding> scheme(Object[] arguments) {
    return Entry.REGISTRY.choose(Encoding.FAMILY, arguments[1].toString(), arguments[2].toString());
  }

  private static Trial trial(
      Entry entry, Choice<SharingContext, Encoding> scheme, IntFunction<State> states) {
    return new Trial(entry, 5, 0.1, TOPOLOGY, scheme::create, true, states);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void onTheVirtualClock(Entry entry, String kind, String settings) {
    checkExactly(entry, kind, settings, FaultPolicy.WAIT);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void onTheVirtualClockWithDeadlines(Entry entry, String kind, String settings) {
    checkExactly(entry, kind, settings, FaultPolicy.goOn(Duration.ofSeconds(2)));
  }

  private static void checkExactly(Entry entry, String kind, String settings, FaultPolicy policy) {
    var scheme = scheme(new Object[] {entry, kind, settings});
    MemoryCuts cuts = new MemoryCuts(EVERY);
    Trial whole = trial(entry, scheme, node -> State.fresh());
    whole.policy = policy;
    Outcome unbroken = run(whole, Runs.simulated(2), cuts);
    assertThat(unbroken.ending()).as(unbroken.reason()).isEqualTo(Outcome.Ending.DONE);
    assertThat(cuts.rounds()).containsExactly(2, 5);
    for (int round : cuts.rounds()) {
      assertThat(cuts.nodes(round)).isEqualTo(whole.nodes.size());
      Trial rest = trial(entry, scheme, node -> cuts.state(round, node));
      rest.policy = policy;
      Outcome resumed =
          rest.run(
              Runs.simulated(1),
              ROUNDS,
              new Saving(new MemoryCuts(EVERY), cuts.resumption(round), null));
      assertThat(Runs.models(rest.nodes)).containsExactlyElementsOf(Runs.models(whole.nodes));
      assertThat(traffic(resumed)).isEqualTo(traffic(unbroken));
      assertThat(waits(resumed)).isEqualTo(waits(unbroken));
      assertThat(resumed.virtualTime()).isEqualTo(unbroken.virtualTime());
      assertThat(resumed.traceHash()).isEqualTo(unbroken.traceHash());
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void onTheWallClock(Entry entry, String kind, String settings) {
    var scheme = scheme(new Object[] {entry, kind, settings});
    MemoryCuts cuts = new MemoryCuts(EVERY);
    Trial whole = trial(entry, scheme, node -> State.fresh());
    Outcome unbroken = run(whole, Runs.live(TransportKind.MEMORY), cuts);
    assertThat(unbroken.ending()).as(unbroken.reason()).isEqualTo(Outcome.Ending.DONE);
    assertThat(cuts.rounds()).containsExactly(2, 5);
    int round = 2;
    assertThat(cuts.nodes(round)).isEqualTo(whole.nodes.size());
    Trial rest = trial(entry, scheme, node -> cuts.state(round, node));
    Outcome resumed =
        rest.run(
            Runs.live(TransportKind.MEMORY),
            ROUNDS,
            new Saving(new MemoryCuts(EVERY), cuts.resumption(round), null));
    assertThat(resumed.ending()).as(resumed.reason()).isEqualTo(Outcome.Ending.DONE);
    if (entry.style().isInStep()) {
      assertThat(Runs.models(rest.nodes)).containsExactlyElementsOf(Runs.models(whole.nodes));
      assertThat(traffic(resumed)).isEqualTo(traffic(unbroken));
    }
  }

  private static Outcome run(Trial trial, NodeRuntime runtime, MemoryCuts cuts) {
    return trial.run(
        runtime, ROUNDS, new Saving(cuts, dev.grapevine.runtime.Resumption.NONE, null));
  }

  private static List<Traffic> traffic(Outcome outcome) {
    return outcome.nodes().stream().map(NodeOutcome::traffic).toList();
  }

  private static List<Duration> waits(Outcome outcome) {
    return outcome.nodes().stream().map(node -> node.phases().waiting()).toList();
  }
}
