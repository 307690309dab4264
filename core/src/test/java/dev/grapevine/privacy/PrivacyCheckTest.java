package dev.grapevine.privacy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.grapevine.UserException;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.experiment.ExperimentCheck;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What secure aggregation goes together with, and what is said of the rest. */
class PrivacyCheckTest {

  private static Experiment experiment(String... assignments) {
    Experiment secure =
        Experiment.parse(
            """
            name = "secret"
            seed = 1
            rounds = 3
            [nodes]
            count = 12
            [topology]
            kind = "regular"
            degree = 4
            [model]
            kind = "logistic"
            [privacy]
            kind = "secure-aggregation"
            """);
    return secure.with(List.of(assignments));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "rounds=3",
        "sharing.kind=round-robin",
        "sharing.kind=subsampling;sharing.draw=common",
        "protocol.kind=el-oracle",
        "protocol.kind=peer-sampler",
        "protocol.kind=knn",
        "protocol.kind=dynamic-graph",
        "protocol.kind=federated",
        "protocol.kind=gradient-tracking",
        "topology.redraw-every=1",
        "topology.kind=erdos-renyi;topology.probability=0.4;topology.redraw-every=1",
        "topology.kind=ring;privacy.least=2",
        "topology.kind=fully-connected",
        "privacy.bits=16",
        "privacy.masks=none",
        "privacy.mask-rate=3 GB/s",
      })
  void theseGoTogether(String assignments) {
    assertThatCode(() -> ExperimentCheck.check(set(assignments))).doesNotThrowAnyException();
  }

  private static Experiment set(String assignments) {
    return experiment(assignments.split(";"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "topology.kind=ring | node 0 hears from 2 others, too few to hide among: privacy.least is 3",
        "topology.kind=star | node 1 hears from 1 other, too few to hide among",
        "topology.kind=chain;privacy.least=2 | node 0 hears from 1 other, too few",
        "topology.kind=one-peer-exponential | no node ever hears from as many as privacy.least = 3",
        "aggregation.kind=median | looks at each neighbour's model",
        "sharing.kind=jwins++ | masks cancel only where all nodes speak of the same coordinates",
        "sharing.kind=topk | masks cancel only where all nodes speak of the same coordinates",
        "sharing.kind=subsampling | masks cancel only where all nodes speak of the same coordinates",
        "sharing.kind=choco | masks cancel only where all nodes speak of the same coordinates",
        "sharing.kind=average | mixed with the topology's weights",
        "sharing.values=zfp | values that travel as they are",
        "sharing.kind=round-robin;sharing.averaging=parameter-wise | mixed with the topology's weights",
        "protocol.kind=ad-psgd | it does not go with this protocol",
        "protocol.kind=gossip | it does not go with this protocol",
        "protocol.kind=el-local | it does not go with this protocol",
        "protocol.kind=push-sum | it does not go with this protocol",
        "protocol.kind=el-oracle;protocol.peers=2 | no node ever hears from as many as",
        "protocol.kind=federated;protocol.fraction=0.1 | no sum is over more than 2 senders",
      })
  void theseAreRefusedWithTheReason(String assignments, String reason) {
    assertThatThrownBy(() -> ExperimentCheck.check(set(assignments)))
        .isInstanceOf(UserException.class)
        .hasMessageContaining(reason)
        .hasMessageContaining("privacy");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "privacy.least=1 | least must be at least 2",
        "privacy.range=50 | range must be a power of two",
        "privacy.bits=8 | bits must be 32 or 16",
        "privacy.partners=3 | partners must be even",
        "privacy.masks=some | masks",
      })
  void settingsOutOfRangeAreRefused(String assignment, String reason) {
    assertThatThrownBy(() -> ExperimentCheck.check(set(assignment)))
        .isInstanceOf(UserException.class)
        .hasMessageContaining(reason);
  }

  @Test
  void nodesThatShareOtherwiseAreRefused() {
    Experiment mixed =
        Experiment.parse(
            """
            name = "secret"
            seed = 1
            rounds = 3
            [nodes]
            count = 12
            [topology]
            kind = "regular"
            degree = 4
            [model]
            kind = "logistic"
            [privacy]
            kind = "secure-aggregation"
            [[override]]
            nodes = "3-4"
            sharing = {kind = "round-robin"}
            """);
    assertThatThrownBy(() -> ExperimentCheck.check(mixed))
        .isInstanceOf(UserException.class)
        .hasMessageContaining("needs all nodes to share the same coordinates");
  }

  @Test
  void aRunInOneProcessSaysThatNothingIsProtected() {
    Privacy masks = experiment().privacy().create();
    assertThat(masks.warning(1, false).orElseThrow()).contains("protects nothing here");
    assertThat(masks.warning(4, false).orElseThrow())
        .contains("hides the models of each worker's nodes from the other workers")
        .contains("the one who coordinates and hands them out: it is trusted");
    assertThat(masks.warning(4, true).orElseThrow())
        .contains("signed by certificates of an authority");
    assertThat(experiment("privacy.masks=none").privacy().create().warning(4, true).orElseThrow())
        .contains("is not hidden");
    assertThat(experiment("privacy.kind=none").privacy().create().warning(1, false)).isEmpty();
  }
}
