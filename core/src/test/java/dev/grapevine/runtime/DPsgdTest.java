package dev.grapevine.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.grapevine.protocol.DPsgd;
import dev.grapevine.protocol.NoCommunication;
import dev.grapevine.runtime.report.Observer;
import dev.grapevine.settings.Registry;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.sharing.FullSharing;
import dev.grapevine.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What theory says of D-PSGD on quadratics. */
@Timeout(120)
class DPsgdTest {

  /** Nodes whose gradient is always zero, so that only mixing moves them. */
  private static List<NodeSetup> onlyMixing(int nodes, long seed) {
    List<NodeSetup> setups = new ArrayList<>();
    for (NodeSetup setup : Runs.quadratics(nodes, seed, node -> new DPsgd())) {
      float[] start = setup.learner().parameters();
      QuadraticLearner still = new QuadraticLearner(start, start, 0);
      setups.add(
          NodeSetup.of(still, Runs.context(0, nodes, still, seed), FullSharing::raw, new DPsgd()));
    }
    return setups;
  }

  private static double[] mean(List<NodeSetup> nodes) {
    double[] mean = new double[Runs.PARAMETERS];
    for (float[] model : Runs.models(nodes)) {
      for (int i = 0; i < mean.length; i++) {
        mean[i] += (double) model[i] / nodes.size();
      }
    }
    return mean;
  }

  /** Root of the summed squared distances of the models from their mean. */
  private static double spread(List<NodeSetup> nodes) {
    double[] mean = mean(nodes);
    double sum = 0;
    for (float[] model : Runs.models(nodes)) {
      for (int i = 0; i < mean.length; i++) {
        sum += (model[i] - mean[i]) * (model[i] - mean[i]);
      }
    }
    return Math.sqrt(sum);
  }

  private static void run(List<NodeSetup> nodes, Topology topology, int rounds) {
    Outcome outcome = Runs.simulated(2).run(Runs.plan(nodes, topology, rounds), Observer.NONE);
    assertThat(outcome.ending()).isEqualTo(Outcome.Ending.DONE);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void mixingKeepsTheMean(long seed) {
    for (int reach : new int[] {1, 2, 5}) {
      List<NodeSetup> nodes = onlyMixing(11, seed);
      double[] before = mean(nodes);
      run(nodes, new CirculantTopology(11, reach), 40);
      assertThat(mean(nodes)).containsExactly(before, within(1e-6));
    }
  }

  /** Mixing on a ring of n contracts by (1 + 2 cos(2 pi / n)) / 3 a round, asymptotically. */
  @Test
  void consensusComesAtTheRateOfTheSpectralGap() {
    int nodes = 10;
    double rate = (1 + 2 * Math.cos(2 * Math.PI / nodes)) / 3;
    List<NodeSetup> early = onlyMixing(nodes, 9);
    run(early, CirculantTopology.ring(nodes), 20);
    List<NodeSetup> late = onlyMixing(nodes, 9);
    run(late, CirculantTopology.ring(nodes), 40);
    assertThat(Math.pow(spread(late) / spread(early), 1 / 20.0)).isCloseTo(rate, within(5e-3));
  }

  /** The mean of the models takes exact gradient steps: its error shrinks by 1 - rate a round. */
  @Test
  void theMeanConvergesToTheMeanOfTheTargetsAtTheRateOfGradientDescent() {
    int rounds = 30;
    List<NodeSetup> nodes = Runs.quadratics(8, 4, node -> new DPsgd());
    List<NodeSetup> optimum = Runs.quadratics(8, 4, node -> new NoCommunication());
    double[] start = mean(nodes);
    run(optimum, CirculantTopology.ring(8), 400);
    double[] target = mean(optimum);

    run(nodes, CirculantTopology.ring(8), rounds);

    double factor = Math.pow(1 - 0.1, rounds);
    double[] actual = mean(nodes);
    for (int i = 0; i < target.length; i++) {
      double expected = target[i] + factor * (start[i] - target[i]);
      assertThat(actual[i]).isCloseTo(expected, within(1e-5));
    }
  }

  @Test
  void twoNodesFullyConnectedTakeTheAveragedStepExactly() {
    List<NodeSetup> nodes =
        Runs.quadratics(
            2,
            6,
            Registry.load().choose(Encoding.FAMILY, "average", "")::create,
            node -> new DPsgd());
    List<NodeSetup> alone = Runs.quadratics(2, 6, node -> new NoCommunication());

    run(nodes, CirculantTopology.full(2), 1);
    run(alone, CirculantTopology.full(2), 1);

    float[] first = alone.get(0).learner().parameters();
    float[] second = alone.get(1).learner().parameters();
    float[] average = new float[first.length];
    for (int i = 0; i < average.length; i++) {
      average[i] = 0.5f * first[i] + 0.5f * second[i];
    }
    assertThat(nodes.get(0).learner().parameters()).isEqualTo(average);
    assertThat(nodes.get(1).learner().parameters()).isEqualTo(average);
  }
}
