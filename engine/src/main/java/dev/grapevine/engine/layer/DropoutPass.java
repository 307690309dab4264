package dev.grapevine.engine.layer;

/**
 * {@link Dropout} at work. A value's fate is a hash of the step's draw and the value's place, so it
 * depends neither on how the batch is cut into tiles nor on other layers.
 */
final class DropoutPass implements Pass {

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
    for (int i = from * sampleSize; i < to * sampleSize; i++) {
      boolean kept = !step.training() || mix(draw + i * 0x9E3779B97F4A7C15L) >>> 11 >= threshold;
      mask[i] = kept ? (step.training() ? growth : 1f) : 0f;
    }
    apply(binding.input().value(), binding.output().value(), from, to);
  }

  @Override
  public void backward(Step step, int from, int to) {
    if (binding.input().hasGradient()) {
      apply(binding.output().requireGradient(), binding.input().requireGradient(), from, to);
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

  /** SplitMix64's finalizer (Steele, Lea and Flood, OOPSLA 2014). */
  private static long mix(long z) {
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
