package dev.grapevine.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.grapevine.message.Message;
import dev.grapevine.message.MessageBytes;
import dev.grapevine.runtime.CirculantTopology;
import dev.grapevine.state.State;
import dev.grapevine.topology.Topology;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where rules end on five different quadratics, from any start, and what mixing keeps. */
@Timeout(120)
class LimitsTest {

  private static final int NODES = 5;
  private static final double OPTIMUM = 7.0 / 3;
  private static final double SECOND_OPTIMUM = -5.0 / 3;
  private static final Topology RING = CirculantTopology.ring(NODES);

  private static float[][] starts() {
    Random random = new Random(5);
    float[][] starts = new float[NODES][2];
    for (float[] start : starts) {
      start[0] = (float) (3 * random.nextGaussian());
      start[1] = (float) (3 * random.nextGaussian());
    }
    return starts;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "all-reduce | '' | 1",
        "d2 | '' | 1",
        "exact-diffusion | '' | 1",
        "nids | '' | 1",
        "extra | '' | 1",
        "gradient-tracking | '' | 1",
        "gradient-tracking | form = \"diging\" | 1",
        "gradient-tracking | form = \"atc\" | 1",
        "k-gt | '' | 3",
        "gt-hsgd | '' | 1",
        "beer | '' | 1",
        "relay-sgd | '' | 1",
        "scaffold | '' | 3",
      })
  void exactRulesReachTheOptimumFromAnyStart(String kind, String settings, int steps) {
    Skewed end = Skewed.from(starts(), kind, settings, RING, Skewed.RATE / steps, 0, steps, 500);
    float[][] models = end.models();
    int first = models.length > NODES ? NODES : 0;
    for (int node = first; node < models.length; node++) {
      assertThat((double) models[node][0]).as("node %d", node).isCloseTo(OPTIMUM, within(5e-5));
      assertThat((double) models[node][1])
          .as("node %d", node)
          .isCloseTo(SECOND_OPTIMUM, within(5e-5));
    }
  }

  /** (I − W (I − γA))⁻¹ W γ A b, with the step that momentum makes of γ. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "d-psgd | '' | 0 | 0.1",
        "d-psgd | '' | 0.5 | 0.2",
        "decentlam | momentum = 0.5 | 0 | 0.1",
        "qg-dsgdm | momentum = 0.5; decay = 0.5; nesterov = false | 0 | 0.1",
        "dfedsam | rho = 0.0 | 0 | 0.1",
      })
  void biasedRulesStopExactlyWhereTheorySays(
      String kind, String settings, float momentum, double step) {
    float[][] models =
        Skewed.from(
                starts(), kind, settings.replace("; ", "\n"), RING, Skewed.RATE, momentum, 1, 400)
            .models();
    double[] limit = new double[NODES];
    for (int t = 0; t < 3000; t++) {
      double[] trained = new double[NODES];
      for (int i = 0; i < NODES; i++) {
        trained[i] = limit[i] - step * (1 + 0.25 * i) * (limit[i] - i);
      }
      limit = mixed(trained);
    }
    for (int node = 0; node < NODES; node++) {
      assertThat((double) models[node][0]).as("node %d", node).isCloseTo(limit[node], within(5e-5));
    }
  }

  private static double[] mixed(double[] x) {
    double[] mixed = new double[NODES];
    for (int i = 0; i < NODES; i++) {
      mixed[i] = (x[(i + 4) % NODES] + x[i] + x[(i + 1) % NODES]) / 3;
    }
    return mixed;
  }

  /** The rule itself in double precision: round by round, and where it ends. */
  @ParameterizedTest
  @ValueSource(doubles = {0, 0.5, 1})
  void clusteringFollowsItsFormula(double alpha) {
    String settings = "alpha = %s\nmomentum = 0.0".formatted(alpha);
    double[] x = new double[NODES];
    for (int round = 1; round <= 200; round++) {
      double[] next = new double[NODES];
      double[] mixed = mixed(x);
      for (int i = 0; i < NODES; i++) {
        double a = 1 + 0.25 * i;
        double own = a * (mixed[i] - i);
        double told = 0;
        for (int j : new int[] {(i + 4) % NODES, i, (i + 1) % NODES}) {
          told += (1 + 0.25 * j) * (x[i] - j) / 3;
        }
        next[i] = mixed[i] - 0.1 * ((1 - alpha) * own + alpha * told);
      }
      x = next;
      if (round <= 3 || round == 10 || round == 200) {
        float[][] models = new Skewed("ngc", settings, RING, 1, round).models();
        for (int i = 0; i < NODES; i++) {
          assertThat((double) models[i][0])
              .as("node %d after %d rounds", i, round)
              .isCloseTo(x[i], within(round == 200 ? 1e-5 : 1e-6 * Math.max(1, Math.abs(x[i]))));
        }
      }
    }
  }

  /** What neighbours tell of their data takes away part of the bias. */
  @Test
  void clusteringIsLessBiasedThanItsNeighbours() {
    double alone = error(new Skewed("ngc", "alpha = 0.0\nmomentum = 0.0", RING, 1, 300));
    double told = error(new Skewed("ngc", "alpha = 1.0\nmomentum = 0.0", RING, 1, 300));
    assertThat(told).isLessThan(alone);
  }

  private static double error(Skewed end) {
    double squares = 0;
    for (float[] model : end.models()) {
      squares += (model[0] - OPTIMUM) * (model[0] - OPTIMUM);
    }
    return squares;
  }

  /** Of x and of w alike: with what is under way they add up to what they began with. */
  @ParameterizedTest
  @CsvSource({"0,push-sum", "1,overlap-sgp", "3,overlap-sgp"})
  void pushedSumsAreKept(int delay, String kind) {
    String settings = kind.equals("push-sum") ? "" : "delay = " + delay;
    float[][] starts = starts();
    double sum = 0;
    for (float[] start : starts) {
      sum += start[0];
    }
    double expected = sum;
    int rounds = 12;
    Skewed.mixing(
        starts,
        kind,
        settings,
        RING,
        rounds,
        (round, states) -> {
          double x = 0;
          double w = 0;
          for (var state : states) {
            x += ((State.Floats) state.get("biased")).values()[0];
            w += Float.intBitsToFloat((int) ((State.Value) state.get("push-sum-weight")).value());
            // Parts that have come and wait for their round.
            byte[] inbox = ((State.Bytes) state.get("node/inbox")).bytes();
            for (Message part : MessageBytes.read(inbox)) {
              Envelope envelope = Envelope.openBare(part.payload(), 1);
              x += envelope.content().buffer().getFloat();
              w += Float.intBitsToFloat(envelope.header()[0]);
            }
          }
          assertThat(x).as("x after round %d", round).isCloseTo(expected, within(1e-5));
          assertThat(w).as("w after round %d", round).isCloseTo(NODES, within(1e-5));
        });
  }
}
