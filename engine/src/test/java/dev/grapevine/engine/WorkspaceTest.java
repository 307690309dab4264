package dev.grapevine.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.grapevine.engine.layer.Convolution;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class WorkspaceTest {

  private static final float[] NONE = {};

  private final Model model = Models.named("small-cnn", ModelOptions.DEFAULTS.withInput(1, 8));

  private float[] initialized(long seed) {
    return initialized(model, seed);
  }

  private static float[] initialized(Model model, long seed) {
    float[] parameters = new float[model.parameterCount()];
    model.initialize(parameters, NONE, new SplittableRandom(seed));
    return parameters;
  }

  /** Batches of one to five samples: with GN-LeNet both ways to convolve, by the batch. */
  @ParameterizedTest
  @CsvSource({
    "small-cnn,1",
    "small-cnn,2",
    "small-cnn,4",
    "gn-lenet,1",
    "gn-lenet,2",
    "gn-lenet,4"
  })
  void aStepGivesTheSameBitsOnAnyNumberOfThreads(String name, int threads) throws Exception {
    Model model = Models.named(name, ModelOptions.DEFAULTS.withInput(1, 8));
    int nodes = 12;
    List<float[]> expected = new ArrayList<>();
    Workspace alone = model.workspace(5);
    for (int node = 0; node < nodes; node++) {
      expected.add(gradient(model, alone, node));
    }
    ThreadLocal<Workspace> workspaces = ThreadLocal.withInitial(() -> model.workspace(9));
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      List<Future<float[]>> results = new ArrayList<>();
      for (int node = 0; node < nodes; node++) {
        int id = node;
        results.add(pool.submit(() -> gradient(model, workspaces.get(), id)));
      }
      for (int node = 0; node < nodes; node++) {
        assertThat(Arrays.equals(results.get(node).get(), expected.get(node)))
            .as("node %d", node)
            .isTrue();
      }
    }
  }

  private static float[] gradient(Model model, Workspace workspace, int node) {
    Batch batch = FiniteDifferences.randomBatch(model, 1 + node % 5, 10, node);
    float[] gradient = new float[model.parameterCount()];
    workspace.gradient(initialized(model, node), NONE, batch, gradient);
    return gradient;
  }

  /** Images of 32×32, of which two pass at a time and take each other's place. */
  @ParameterizedTest
  @EnumSource(Convolution.class)
  void stepsAndEvaluationsInTurnsGiveTheBitsOfFreshWorkspaces(Convolution convolution) {
    Model lenet = Models.named("gn-lenet", ModelOptions.DEFAULTS.withConvolution(convolution));
    float[] parameters = initialized(lenet, 1);
    Workspace used = lenet.workspace(9);
    for (int size : new int[] {7, 4, 9}) {
      Batch batch = FiniteDifferences.randomBatch(lenet, size, 10, size);
      float[] gradient = new float[lenet.parameterCount()];
      float[] freshGradient = new float[lenet.parameterCount()];
      float[] outputs = new float[size * 10];
      float[] freshOutputs = new float[size * 10];
      used.forward(parameters, NONE, batch, outputs);
      used.gradient(parameters, NONE, batch, gradient);
      lenet.workspace(size).forward(parameters, NONE, batch, freshOutputs);
      lenet.workspace(size).gradient(parameters, NONE, batch, freshGradient);
      assertThat(Arrays.equals(outputs, freshOutputs)).as("outputs of %d", size).isTrue();
      assertThat(Arrays.equals(gradient, freshGradient)).as("gradient of %d", size).isTrue();
    }
  }

  @Test
  void evaluationAndForwardAgree() {
    Batch batch = FiniteDifferences.randomBatch(model, 4, 10, 1);
    Workspace workspace = model.workspace(6);
    float[] outputs = new float[4 * 10];
    workspace.forward(initialized(2), NONE, batch, outputs);
    Score score = workspace.evaluate(initialized(2), NONE, batch);
    assertThat(score.lossSum()).isEqualTo(model.loss().sum(outputs, batch.targets(), 4, 10, null));
    assertThat(score.samples()).isEqualTo(4);
  }

  @Test
  void runningStatisticsFollowTheBatchAndServeEvaluation() {
    Model norm =
        Model.image("bn", 1, 4, 4)
            .convSame(3, 3)
            .batchNorm()
            .relu()
            .flatten()
            .linear(2)
            .crossEntropy();
    float[] parameters = new float[norm.parameterCount()];
    float[] statistics = new float[norm.statisticsCount()];
    norm.initialize(parameters, statistics, new SplittableRandom(1));
    assertThat(statistics).containsExactly(0, 0, 0, 1, 1, 1);
    Batch batch = FiniteDifferences.randomBatch(norm, 4, 2, 1);
    Workspace workspace = norm.workspace(4);
    workspace.gradient(parameters, statistics, batch, new float[parameters.length]);
    float[] moved = statistics.clone();
    assertThat(moved).isNotEqualTo(new float[] {0, 0, 0, 1, 1, 1});
    workspace.evaluate(parameters, statistics, batch);
    assertThat(statistics).isEqualTo(moved);
  }

  @Test
  void mistakesAreNamed() {
    Workspace workspace = model.workspace(2);
    float[] parameters = initialized(1);
    float[] gradient = new float[parameters.length];
    Batch empty = new Batch(2, model.inputSize(), 1);
    assertThatThrownBy(() -> workspace.gradient(parameters, NONE, empty, gradient))
        .hasMessageContaining("empty");
    Batch large = FiniteDifferences.randomBatch(model, 3, 10, 1);
    assertThatThrownBy(() -> workspace.gradient(parameters, NONE, large, gradient))
        .hasMessageContaining("size=3, capacity=2");
    Batch wrong = new Batch(2, 100, 1);
    wrong.resize(2);
    assertThatThrownBy(() -> workspace.gradient(parameters, NONE, wrong, gradient))
        .hasMessageContaining("expected=64 (1×8×8), given=100");
    Batch label = FiniteDifferences.randomBatch(model, 2, 10, 1);
    label.targets()[1] = 10;
    assertThatThrownBy(() -> workspace.gradient(parameters, NONE, label, gradient))
        .hasMessageContaining("label=10.0, expected=0..9, sample=1");
    assertThatThrownBy(() -> workspace.gradient(new float[3], NONE, label, gradient))
        .hasMessageContaining("given=3");
    assertThatThrownBy(() -> Model.image("m", 1, 2, 2).conv(3, 5))
        .hasMessageContaining("model m, layer conv1")
        .hasMessageContaining("input=1×2×2");
    assertThatThrownBy(() -> Model.image("m", 3, 4, 4).groupNorm(2))
        .hasMessageContaining("groups=2, channels=3");
  }

  @Test
  void aLossThatIsNotANumberIsNamed() {
    float[] parameters = initialized(1);
    parameters[0] = Float.NaN;
    Batch batch = FiniteDifferences.randomBatch(model, 2, 10, 1);
    assertThatThrownBy(() ->
            model.workspace(2).gradient(parameters, NONE, batch, new float[parameters.length]))
        .isInstanceOf(DivergedException.class)
        .hasMessageContaining("small-cnn");
  }
}
