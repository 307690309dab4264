package dev.grapevine.engine.loss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.grapevine.engine.Fixture;
import dev.grapevine.engine.Formula;
import dev.grapevine.engine.Loss;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LossFixtureTest {

  private static final Fixture FIXTURE = Fixture.read("layers.safetensors");

  @ParameterizedTest
  @CsvSource({
    "crossentropy batch=5 classes=7, 5, 7",
    "crossentropy batch=3 classes=62, 3, 62",
    "mse batch=4 outputs=3, 4, 3",
    "bce batch=6 outputs=1, 6, 1",
    "bce batch=3 outputs=5, 3, 5"
  })
  void agreesWithPyTorch(String name, int samples, int width) {
    float[] outputs = new float[samples * width];
    float[] targets = new float[samples * width];
    for (int i = 0; i < outputs.length; i++) {
      outputs[i] = 3 * Formula.signed(900, i);
      targets[i] =
          switch (name.substring(0, 3)) {
            case "cro" -> Formula.whole(950, i, width);
            case "mse" -> Formula.signed(950, i);
            default -> Formula.whole(950, i, 2);
          };
    }
    Loss loss =
        switch (name.substring(0, 3)) {
          case "cro" -> new CrossEntropy();
          case "mse" -> new MeanSquaredError();
          default -> new BinaryCrossEntropy();
        };
    float[] gradient = new float[outputs.length];
    double mean = loss.sum(outputs, targets, samples, width, gradient) / samples;
    assertThat(Fixture.error(new float[] {(float) mean}, FIXTURE.get(name + "/loss")))
        .isLessThan(1e-6);
    assertThat(Fixture.error(gradient, FIXTURE.get(name + "/input"))).isLessThan(1e-6);
  }

  @Test
  void binaryCrossEntropyStaysFiniteAndCountsWhatIsRight() {
    float[] outputs = {1000, -1000, 2, -3};
    float[] targets = {1, 0, 0, 0};
    Loss loss = new BinaryCrossEntropy();
    assertThat(loss.sum(outputs, targets, 4, 1, null)).isFinite();
    assertThat(loss.correct(outputs, targets, 4, 1)).isEqualTo(3);
    assertThat(loss.correct(outputs, targets, 2, 2)).isEqualTo(1);
    assertThatThrownBy(() -> loss.sum(outputs, new float[] {2}, 1, 1, null))
        .hasMessageContaining("target=2.0")
        .hasMessageContaining("sample=0");
  }
}
