package dev.grapevine.engine.loss;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.engine.Fixture;
import dev.grapevine.engine.Formula;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LossFixtureTest {

  private static final Fixture FIXTURE = Fixture.read("layers.safetensors");

  @ParameterizedTest
  @CsvSource({
    "crossentropy batch=5 classes=7, 5, 7",
    "crossentropy batch=3 classes=62, 3, 62",
    "mse batch=4 outputs=3, 4, 3"
  })
  void agreesWithPyTorch(String name, int samples, int width) {
    float[] outputs = new float[samples * width];
    float[] targets = new float[samples * width];
    for (int i = 0; i < outputs.length; i++) {
      outputs[i] = 3 * Formula.signed(900, i);
      targets[i] = name.startsWith("mse") ? Formula.signed(950, i) : Formula.whole(950, i, width);
    }
    Loss loss = name.startsWith("mse") ? new MeanSquaredError() : new CrossEntropy();
    float[] gradient = new float[outputs.length];
    double mean = loss.sum(outputs, targets, samples, width, gradient) / samples;
    assertThat(Fixture.error(new float[] {(float) mean}, FIXTURE.get(name + "/loss")))
        .isLessThan(1e-6);
    assertThat(Fixture.error(gradient, FIXTURE.get(name + "/input"))).isLessThan(1e-6);
  }
}
