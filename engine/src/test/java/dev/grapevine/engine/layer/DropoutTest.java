package dev.grapevine.engine.layer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.grapevine.engine.Formula;
import dev.grapevine.engine.kernel.Kernels;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class DropoutTest {

  private static final Shape SHAPE = new Shape.Image(5, 9, 7);
  private static final int SAMPLES = 6;
  private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

  private static LayerRun run(double probability) {
    return new LayerRun(new Dropout(SHAPE, probability), SAMPLES, 1, true, Kernels.best());
  }

  private static float[] ones() {
    float[] values = new float[SHAPE.size() * SAMPLES];
    Arrays.fill(values, 1f);
    return values;
  }

  @Test
  void dropsAboutTheShareAndKeepsTheMean() {
    float[] outputs = run(0.25).train(ones(), SAMPLES, SAMPLES);
    int dropped = 0;
    for (float value : outputs) {
      assertThat(value).isIn(0f, (float) (1 / 0.75));
      dropped += value == 0 ? 1 : 0;
    }
    assertThat(dropped / (double) outputs.length).isBetween(0.2, 0.3);
  }

  @Test
  void gradientPassesWhereTheValueDid() {
    LayerRun run = run(0.5);
    float[] outputs = run.train(ones(), SAMPLES, SAMPLES);
    assertThat(run.backward(ones(), SAMPLES, SAMPLES)).isEqualTo(outputs);
  }

  @Test
  void drawsDependOnTheSeedButNotOnTiles() {
    assertThat(run(0.5).train(ones(), SAMPLES, 1)).isEqualTo(run(0.5).train(ones(), SAMPLES, 4));
  }

  /** Place i of a step has number i of the stream that starts with the step's draw. */
  @Test
  void drawsStayWhatTheyWere() {
    Shape shape = new Shape.Image(1, 9, 7);
    float[] ones = Arrays.copyOf(ones(), shape.size() * SAMPLES);
    float[] outputs =
        new LayerRun(new Dropout(shape, 0.5), SAMPLES, 1, true, Kernels.best())
            .train(ones, SAMPLES, 4);
    long draw = new SplittableRandom(5).nextLong();
    SplittableRandom stream = new SplittableRandom(draw - GOLDEN_GAMMA);
    for (float value : outputs) {
      assertThat(value).isEqualTo(stream.nextLong() < 0 ? 2f : 0f);
    }
  }

  @Test
  void evaluationAndProbabilityZeroChangeNothing() {
    float[] inputs = Formula.signed(1, 0, SHAPE.size() * SAMPLES);
    assertThat(run(0.5).evaluate(inputs, SAMPLES)).isEqualTo(inputs);
    assertThat(run(0).train(inputs, SAMPLES, SAMPLES)).isEqualTo(inputs);
  }

  @Test
  void refusesToDropEverything() {
    assertThatThrownBy(() -> new Dropout(SHAPE, 1)).hasMessageContaining("probability=1.0");
  }
}
