package dev.grapevine.runtime.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.engine.ParameterBlock;
import dev.grapevine.learning.Evaluation;
import dev.grapevine.learning.Learner;
import dev.grapevine.runtime.compute.ComputePool;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AverageCollectorTest {

  private record Model(float[] parameters, float[] statistics) implements Learner {

    @Override
    public List<ParameterBlock> blocks() {
      return List.of();
    }

    @Override
    public int samples() {
      return 1;
    }

    @Override
    public int stepsPerRound() {
      return 1;
    }

    @Override
    public double train() {
      return 0;
    }

    @Override
    public double gradient(float[] gradient) {
      return 0;
    }

    @Override
    public double gradientAt(float[] parameters, float[] gradient) {
      return 0;
    }

    @Override
    public double rate() {
      return 0;
    }

    @Override
    public void apply(float[] gradient) {}

    @Override
    public Evaluation test() {
      return new Evaluation(0, 0, 1);
    }
  }

  private static AverageModel average(Model... models) {
    List<AverageModel> averages = new ArrayList<>();
    Observer observer =
        new Observer() {
          @Override
          public boolean averageDue(int node, int round) {
            return true;
          }

          @Override
          public List<Metric> evaluateAverage(AverageModel average) {
            averages.add(average);
            return List.of();
          }
        };
    try (ComputePool pool = new ComputePool(1)) {
      AverageCollector collector = new AverageCollector(models.length, observer, pool);
      for (int node = 0; node < models.length; node++) {
        collector.add(node, 0, models[node]);
        // What a node does to its model after it has passed is no part of the round.
        collector.passed(node, 0, 0);
        models[node].statistics()[0] = -1;
      }
    }
    return averages.getFirst();
  }

  private static Model model(float parameter, float statistic) {
    return new Model(new float[] {parameter, 1}, new float[] {statistic});
  }

  @Test
  void averagesParametersAndStatistics() {
    AverageModel average = average(model(2, 10), model(4, 30));

    assertThat(average.parameters()).containsExactly(3, 1);
    assertThat(average.statistics()).containsExactly(20);
    assertThat(average.consensusDistance()).isEqualTo(1);
  }

  /** The sums are of 64 bits: 2^26 + 2^26 is the first that would come out negative. */
  @Test
  void valuesTooLargeToAddAreNoNumberRatherThanAWrongOne() {
    for (float large : new float[] {0x1p26f, -0x1p26f, 0x1p100f, Float.NaN}) {
      AverageModel average = average(model(large, 0), model(large, 0));
      assertThat(average.parameters()).as("%s", large).containsOnly(Float.NaN);
      assertThat(average.consensusDistance()).isNaN();
    }
    assertThat(average(model(0x1p25f, 0), model(0x1p25f, 0)).parameters())
        .containsExactly(0x1p25f, 1);
  }
}
