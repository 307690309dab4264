package dev.grapevine.engine;

/**
 * A mini-batch in buffers that are filled again and again. Class labels, token ids and user ids are
 * whole numbers held exactly in a float (all lie below 2^24).
 *
 * <p>Inputs are sample after sample, each in the model's input shape, row-major (images as channel,
 * row, column). Targets are sample after sample too: one class label, or one value for a
 * regression.
 */
public final class Batch {

  private final float[] inputs;
  private final float[] targets;
  private final int capacity;
  private int size;

  /**
   * @param capacity the largest number of samples it will hold
   * @param inputSize values per sample
   * @param targetSize targets per sample
   */
  public Batch(int capacity, int inputSize, int targetSize) {
    this.capacity = capacity;
    this.inputs = new float[Math.multiplyExact(capacity, inputSize)];
    this.targets = new float[Math.multiplyExact(capacity, targetSize)];
  }

  public float[] inputs() {
    return inputs;
  }

  public float[] targets() {
    return targets;
  }

  public int capacity() {
    return capacity;
  }

  /** Number of samples it holds now. */
  public int size() {
    return size;
  }

  public void resize(int samples) {
    if (samples < 0 || samples > capacity) {
      throw new IllegalArgumentException(
          "batch size out of range: size=%d, capacity=%d".formatted(samples, capacity));
    }
    size = samples;
  }
}
