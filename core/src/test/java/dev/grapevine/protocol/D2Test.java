package dev.grapevine.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.runtime.Runs;
import dev.grapevine.topology.Topology;
import dev.grapevine.topology.TopologyContext;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where D² converges, and what it says where it does not. */
final class D2Test {

  private static final Entry D2 =
      new Entry("d2", "", Entry.Style.IN_STEP, Entry.Mixing.KEEPS_MEAN, 1, 1);

  private static Topology topology(String kind, String settings) {
    return Entry.REGISTRY
        .choose(Topology.FAMILY, kind, settings)
        .create(new TopologyContext(16, 90, Path.of("")));
  }

  private static Optional<String> objection(Topology topology) {
    return D2.choice()
        .create(new ProtocolContext(0, 16, 1, topology, new Shared()))
        .objection(topology);
  }

  /** Its distance from the optimum after 150 rounds on nodes whose optima differ. */
  private static double error(Topology topology) {
    Trial trial = new Trial(D2, 3, 0.1, topology);
    trial.run(Runs.simulated(2), 150);
    return Trial.distance(trial.results(), Trial.mean(trial.targets));
  }

  @ParameterizedTest
  @CsvSource({"regular, degree=3", "regular, degree=4", "hypercube, ''", "ring, ''"})
  void isRefusedWhereItDivergesAndConvergesWithLazyWeights(String kind, String settings) {
    assertThat(objection(topology(kind, settings)).orElseThrow())
        .contains("smallest eigenvalue")
        .contains("topology.lazy = true");
    Topology lazy = topology(kind, settings + "\nlazy = true");
    assertThat(objection(lazy)).isEmpty();
    assertThat(error(lazy)).isLessThan(1e-3);
  }

  @Test
  void theDefaultTopologyWouldMakeItDiverge() {
    assertThat(error(topology("regular", ""))).isGreaterThan(100);
  }

  @Test
  void weightsMustBeSymmetric() {
    assertThat(objection(topology("star", "weights = \"uniform\"")).orElseThrow())
        .contains("symmetric");
    assertThat(objection(topology("fully-connected", ""))).isEmpty();
    assertThat(objection(topology("regular", "degree = 4\nredraw-every = 1")).orElseThrow())
        .contains("does not change");
  }
}
