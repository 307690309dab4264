package dev.grapevine.data;

import dev.grapevine.engine.Batch;
import java.util.Optional;

/**
 * Samples with their targets: immutable, held once per process and read by all its nodes at the
 * same time. A sample becomes floats only when it is read into a batch.
 */
public interface DataSet {

  String name();

  /** Number of samples. */
  int size();

  /** Number of classes, or 0 when the target is a value to be approximated. */
  int classes();

  /** One sample's dimensions: {3,32,32} for an image, {80} for tokens, {2} for a pair of ids. */
  int[] inputShape();

  /** A sample's class, below {@link #classes()}; 0 in a set without classes. */
  int label(int sample);

  /** Writes one sample and its target into a slot of the batch. */
  void read(int sample, Batch batch, int slot);

  /** Who the samples stem from; {@link Users#NONE} when nobody is known. */
  default Users users() {
    return Users.NONE;
  }

  /**
   * How many different ids the inputs take: {92} for characters, {users, items} for ratings, empty
   * for inputs that are quantities.
   */
  default int[] vocabulary() {
    return new int[0];
  }

  /** What a class is called. */
  default String className(int label) {
    return Integer.toString(label);
  }

  /** How pixels became floats, when the samples are images. */
  default Optional<ImageFormat> image() {
    return Optional.empty();
  }

  /** Floats per sample. */
  default int inputSize() {
    int size = 1;
    for (int extent : inputShape()) {
      size *= extent;
    }
    return size;
  }

  /** Targets per sample. */
  default int targetSize() {
    return 1;
  }

  /** A batch of the right shape for this set. */
  default Batch batch(int capacity) {
    return new Batch(capacity, inputSize(), targetSize());
  }

  /** Makes the batch hold {@code samples[from .. from + count)}. */
  default void fill(int[] samples, int from, int count, Batch batch) {
    batch.resize(count);
    for (int slot = 0; slot < count; slot++) {
      read(samples[from + slot], batch, slot);
    }
  }
}
