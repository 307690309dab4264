package dev.grapevine.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.grapevine.engine.kernel.KernelsUnderTest;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Embeddings, LSTM and matrix factorization inside a model. */
class IdLayersTest {

  private static Model tinyLstm(int length, int hidden, int levels, boolean all) {
    ModelBuilder builder = Model.flat("tiny", length).embedding(9, 4, 0);
    return (all ? builder.lstm(hidden, levels).flatten() : builder.lstmLastState(hidden, levels))
        .linear(5)
        .crossEntropy();
  }

  private static Batch batch(Model model, int size, int tokens, int labels, int seed) {
    Batch batch = new Batch(size, model.inputSize(), model.targetSize());
    batch.resize(size);
    for (int i = 0; i < batch.inputs().length; i++) {
      batch.inputs()[i] = Formula.whole(seed, i, tokens);
    }
    for (int i = 0; i < batch.targets().length; i++) {
      batch.targets()[i] = Formula.whole(seed + 1, i, labels);
    }
    return batch;
  }

  @ParameterizedTest
  @CsvSource({"1,1,1,true", "3,5,2,true", "6,8,1,false", "4,3,3,false"})
  void gradientIsTheSlopeOfTheLoss(int length, int hidden, int levels, boolean all) {
    Model model = tinyLstm(length, hidden, levels, all);
    FiniteDifferences.check(model, batch(model, 4, 9, 5, 11), 3);
  }

  @Test
  void factorizationHasTheRightSlope() {
    Model model = Model.flat("ratings", 2).dotProduct(6, 6, 7).meanSquaredError();
    FiniteDifferences.check(model, batch(model, 8, 6, 5, 3), 4);
  }

  @Test
  void paddingStartsAtZeroAndIsNeverTrained() {
    Model model = tinyLstm(5, 3, 1, true);
    float[] parameters = new float[model.parameterCount()];
    model.initialize(parameters, new float[0], new SplittableRandom(1));
    assertThat(Arrays.copyOf(parameters, 4)).containsOnly(0);
    float[] gradient = new float[parameters.length];
    Arrays.fill(gradient, Float.NaN);
    Batch batch = batch(model, 4, 3, 5, 7);
    model.workspace(4).gradient(parameters, new float[0], batch, gradient);
    assertThat(Arrays.copyOf(gradient, 4)).containsOnly(0);
    assertThat(Arrays.copyOfRange(gradient, 4, 12)).doesNotContain(0, Float.NaN);
    assertThat(Arrays.copyOfRange(gradient, 12, 36)).as("tokens not in the batch").containsOnly(0);
  }

  @Test
  void resultDependsNeitherOnCapacityNorOnEarlierBatches() {
    Model model = tinyLstm(6, 10, 2, true);
    float[] parameters = new float[model.parameterCount()];
    model.initialize(parameters, new float[0], new SplittableRandom(1));
    Batch batch = batch(model, 3, 9, 5, 1);
    float[] expected = new float[parameters.length];
    double loss = model.workspace(3).gradient(parameters, new float[0], batch, expected);

    Workspace larger = model.workspace(8);
    float[] gradient = new float[parameters.length];
    larger.gradient(parameters, new float[0], batch(model, 8, 9, 5, 2), gradient);
    larger.evaluate(parameters, new float[0], batch(model, 1, 9, 5, 3));
    assertThat(larger.gradient(parameters, new float[0], batch, gradient)).isEqualTo(loss);
    assertThat(gradient).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(floats = {-1, 9, 2.5f, Float.NaN})
  void namesTheTokenThatIsOutOfRange(float token) {
    Model model = tinyLstm(5, 3, 1, true);
    Batch batch = batch(model, 2, 9, 5, 7);
    batch.inputs()[8] = token;
    float[] parameters = new float[model.parameterCount()];
    assertThatThrownBy(() -> model.workspace(2).evaluate(parameters, new float[0], batch))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "layer embedding: token out of range: token=%s, expected=0..8, sample=1"
                .formatted(token));
  }

  @Test
  void namesTheUserAndItemThatAreOutOfRange() {
    Model model = Model.flat("ratings", 2).dotProduct(6, 3, 7).meanSquaredError();
    Batch batch = batch(model, 2, 3, 5, 7);
    float[] parameters = new float[model.parameterCount()];
    batch.inputs()[2] = 6;
    assertThatThrownBy(() -> model.workspace(2).evaluate(parameters, new float[0], batch))
        .hasMessageContaining("user=6.0, expected=0..5, sample=1");
    batch.inputs()[2] = 5;
    batch.inputs()[3] = 3;
    assertThatThrownBy(() -> model.workspace(2).evaluate(parameters, new float[0], batch))
        .hasMessageContaining("item=3.0, expected=0..2, sample=1");
  }

  @Test
  void namesTheLayerThatDoesNotFit() {
    assertThatThrownBy(() -> Model.flat("m", 5).lstm(3, 1))
        .hasMessage("model m, layer lstm: an LSTM wants a sequence: input=5");
    assertThatThrownBy(() -> Model.image("m", 1, 4, 4).embedding(5, 2))
        .hasMessageContaining("layer embedding")
        .hasMessageContaining("input=1×4×4");
    assertThatThrownBy(() -> Model.flat("m", 5).embedding(5, 2, 5))
        .hasMessageContaining("padding=5, expected=0..4");
    assertThatThrownBy(() -> Model.flat("m", 3).dotProduct(5, 2, 5))
        .hasMessageContaining("pairs of ids: input=3");
  }

  /** Scalar kernels: vectors are objects until the compiler has seen enough of them. */
  @Test
  void aStepAllocatesNothing() {
    Model model = tinyLstm(6, 8, 2, true);
    float[] parameters = new float[model.parameterCount()];
    model.initialize(parameters, new float[0], new SplittableRandom(1));
    float[] gradient = new float[parameters.length];
    float[] none = {};
    Workspace workspace = model.workspace(4, KernelsUnderTest.named("scalar"));
    Batch large = batch(model, 4, 9, 5, 1);
    Batch small = batch(model, 3, 9, 5, 1);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = 0;
    for (int step = 0; step < 40; step++) {
      if (step == 20) {
        before = threads.getCurrentThreadAllocatedBytes();
      }
      workspace.gradient(parameters, none, step % 2 == 0 ? large : small, gradient);
    }
    long bytes = threads.getCurrentThreadAllocatedBytes() - before;
    // What is left are iterators over the layers; one state of the LSTM alone would be 128 bytes.
    assertThat(bytes / 20).isLessThan(1024);
  }
}
