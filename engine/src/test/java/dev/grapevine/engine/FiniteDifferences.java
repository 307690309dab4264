package dev.grapevine.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;

/** Checks a workspace's gradient against differences of its own loss. */
final class FiniteDifferences {

  private FiniteDifferences() {}

  static Batch randomBatch(Model model, int size, int labels, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Batch batch = new Batch(size, model.inputSize(), model.targetSize());
    batch.resize(size);
    for (int i = 0; i < batch.inputs().length; i++) {
      batch.inputs()[i] =
          model.inputShape().length == 1 ? random.nextInt(90) : (float) random.nextGaussian();
    }
    for (int i = 0; i < batch.targets().length; i++) {
      batch.targets()[i] = random.nextInt(labels);
    }
    return batch;
  }

  /**
   * The slope along random directions of a few parameters each. Single precision limits the
   * agreement to about a percent; PyTorch fixtures hold the tight bound.
   */
  static void check(Model model, Batch batch, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    float[] parameters = new float[model.parameterCount()];
    float[] statistics = new float[model.statisticsCount()];
    model.initialize(parameters, statistics, random);
    Workspace workspace = model.workspace(batch.size());
    float[] gradient = new float[parameters.length];
    float[] scratch = new float[parameters.length];
    workspace.gradient(parameters, statistics.clone(), batch, gradient);
    for (ParameterBlock block : model.parameters()) {
      if (block.offset() >= model.trainableCount()) {
        continue;
      }
      double norm = 0;
      for (int i = 0; i < block.size(); i++) {
        norm += gradient[block.offset() + i] * (double) gradient[block.offset() + i];
      }
      norm = Math.sqrt(norm);
      if (norm < 1e-4) {
        continue;
      }
      // Along the gradient itself the slope is its norm.
      double h = 2e-3 / Math.max(1, norm);
      float[] up = parameters.clone();
      float[] down = parameters.clone();
      for (int i = block.offset(); i < block.offset() + block.size(); i++) {
        up[i] += (float) (h * gradient[i] / norm);
        down[i] -= (float) (h * gradient[i] / norm);
      }
      double slope =
          (workspace.gradient(up, statistics.clone(), batch, scratch)
                  - workspace.gradient(down, statistics.clone(), batch, scratch))
              / (2 * h);
      assertThat(slope)
          .as("%s, block %s", model.name(), block.name())
          .isCloseTo(norm, org.assertj.core.data.Offset.offset(0.02 * norm + 2e-3));
    }
  }
}
