package dev.grapevine.engine.layer;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * {@link Dropout} at work. A value's fate is a hash of the step's draw and the value's place, so it
 * depends neither on how the batch is cut into tiles nor on other layers.
 */
final class DropoutPass implements Pass {

  /** What the state of {@link SplittableRandom} grows by, which lets a tile start in its midst. */
  private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

  private final Binding binding;
  private final long threshold;
  private final float growth;
  private final int sampleSize;

  /** 0 or the growth, for each value of the batch without margins. */
  private final float[] mask;

  private long draw;

  DropoutPass(Dropout layer, Binding binding) {
    this.binding = binding;
    this.threshold = (long) (layer.probability() * 0x1p53);
    this.growth = (float) (1 / (1 - layer.probability()));
    this.sampleSize = layer.input().size();
    this.mask = new float[Math.multiplyExact(binding.capacity(), sampleSize)];
  }

  @Override
  public void prepare(Step step) {
    if (step.training()) {
      draw = step.random().nextLong();
    }
  }

  @Override
  public void forward(Step step, int from, int to) {
    if (step.training()) {
      drawFates(from * sampleSize, to * sampleSize);
    } else {
      Arrays.fill(mask, from * sampleSize, to * sampleSize, 1f);
    }
    apply(binding.input().value(), binding.output().value(), from, to);
  }

  @Override
  public void backward(Step step, int from, int to) {
    if (binding.input().hasGradient()) {
      apply(binding.output().requireGradient(), binding.input().requireGradient(), from, to);
    }
  }

  private void drawFates(int from, int to) {
    SplittableRandom fates = new SplittableRandom(draw + (from - 1) * GOLDEN_GAMMA);
    for (int i = from; i < to; i++) {
      mask[i] = fates.nextLong() >>> 11 >= threshold ? growth : 0f;
    }
  }

  private void apply(Plane source, Plane target, int from, int to) {
    int length = source.rowLength();
    for (int n = from; n < to; n++) {
      for (int row = 0; row < source.height(); row++) {
        int at = n * sampleSize + row * length;
        binding
            .kernels()
            .multiply(
                mask,
                at,
                source.data(),
                source.at(n, row, 0),
                target.data(),
                target.at(n, row, 0),
                length);
      }
    }
  }
}
