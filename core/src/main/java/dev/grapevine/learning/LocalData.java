package dev.grapevine.learning;

import dev.grapevine.data.Augmentation;
import dev.grapevine.data.BatchSampler;
import dev.grapevine.data.DataSet;
import dev.grapevine.engine.Batch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A node's training samples: its shard of the shared data set, and those that other nodes sent.
 * What is received joins at the next mini-batch, which starts a new pass over everything.
 */
public final class LocalData implements SampleExchange {

  private final DataSet shared;
  private final int[] shard;
  private final int batchSize;
  private final long seed;
  private final Optional<Augmentation> augmentation;
  private final List<float[]> receivedInputs = new ArrayList<>();
  private final List<float[]> receivedTargets = new ArrayList<>();
  private Optional<BatchSampler> sampler;
  private boolean grown;

  /**
   * @param shard the node's samples of {@code shared}; empty on a server
   * @param seed the node's own seed for the order of its samples
   */
  public LocalData(
      DataSet shared, int[] shard, int batchSize, long seed, Optional<Augmentation> augmentation) {
    this.shared = shared;
    this.shard = shard;
    this.batchSize = batchSize;
    this.seed = seed;
    this.augmentation = augmentation;
    this.sampler =
        shard.length == 0
            ? Optional.empty()
            : Optional.of(new BatchSampler(shared, shard, batchSize, seed, augmentation));
  }

  @Override
  public int samples() {
    return shard.length + receivedInputs.size();
  }

  @Override
  public int inputSize() {
    return shared.inputSize();
  }

  @Override
  public int targetSize() {
    return shared.targetSize();
  }

  /** How many of the node's own samples belong to each class; empty for a task without classes. */
  public int[] labelCounts() {
    int[] counts = new int[shared.classes()];
    if (counts.length > 0) {
      for (int sample : shard) {
        counts[shared.label(sample)]++;
      }
    }
    return counts;
  }

  void next(Batch batch) {
    if (grown) {
      int[] all = IntStream.range(0, samples()).toArray();
      sampler =
          Optional.of(
              new BatchSampler(new Grown(), all, batchSize, seed + all.length, augmentation));
      grown = false;
    }
    sampler
        .orElseThrow(() -> new IllegalStateException("this node has no samples to train on"))
        .next(batch);
  }

  @Override
  public void read(int sample, float[] inputs, int inputOffset, float[] targets, int targetOffset) {
    Batch one = shared.batch(1);
    new Grown().read(sample, one, 0);
    System.arraycopy(one.inputs(), 0, inputs, inputOffset, inputSize());
    System.arraycopy(one.targets(), 0, targets, targetOffset, targetSize());
  }

  @Override
  public void add(float[] inputs, int inputOffset, float[] targets, int targetOffset) {
    receivedInputs.add(Arrays.copyOfRange(inputs, inputOffset, inputOffset + inputSize()));
    receivedTargets.add(Arrays.copyOfRange(targets, targetOffset, targetOffset + targetSize()));
    grown = true;
  }

  BatchSampler.State state() {
    return sampler.map(BatchSampler::state).orElse(new BatchSampler.State(0, 0));
  }

  void restore(BatchSampler.State state) {
    sampler.ifPresent(present -> present.restore(state));
  }

  /** The shard followed by what was received, as one set. */
  private final class Grown implements DataSet {

    @Override
    public String name() {
      return shared.name();
    }

    @Override
    public int size() {
      return samples();
    }

    @Override
    public int classes() {
      return shared.classes();
    }

    @Override
    public int[] inputShape() {
      return shared.inputShape();
    }

    @Override
    public int label(int sample) {
      return sample < shard.length
          ? shared.label(shard[sample])
          : (int) receivedTargets.get(sample - shard.length)[0];
    }

    @Override
    public void read(int sample, Batch batch, int slot) {
      if (sample < shard.length) {
        shared.read(shard[sample], batch, slot);
        return;
      }
      int received = sample - shard.length;
      System.arraycopy(
          receivedInputs.get(received), 0, batch.inputs(), slot * inputSize(), inputSize());
      System.arraycopy(
          receivedTargets.get(received), 0, batch.targets(), slot * targetSize(), targetSize());
    }
  }
}
