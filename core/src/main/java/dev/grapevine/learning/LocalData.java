package dev.grapevine.learning;

import dev.grapevine.data.Augmentation;
import dev.grapevine.data.BatchSampler;
import dev.grapevine.data.DataSet;
import dev.grapevine.engine.Batch;
import dev.grapevine.state.State;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
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
  private int sampled;
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
    this.sampled = shard.length;
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

  /** Measures on all of the node's samples, as they are, without augmentation. */
  Optional<Evaluator> evaluator(Workshop workshop) {
    if (samples() == 0) {
      return Optional.empty();
    }
    return Optional.of(
        receivedInputs.isEmpty()
            ? new Evaluator(workshop, shared, shard)
            : new Evaluator(workshop, new Grown(), IntStream.range(0, samples()).toArray()));
  }

  void next(Batch batch) {
    if (grown) {
      sampleFrom(samples());
      grown = false;
    }
    sampler
        .orElseThrow(() -> new IllegalStateException("this node has no samples to train on"))
        .next(batch);
  }

  private void sampleFrom(int count) {
    int[] all = IntStream.range(0, count).toArray();
    sampled = count;
    sampler =
        Optional.of(new BatchSampler(new Grown(), all, batchSize, seed + count, augmentation));
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

  /** Declares the place in the shard and what was received. */
  void declare(State state) {
    state.bytes("received", this::writeReceived, this::readReceived);
    state.values(
        "sampler",
        () -> {
          BatchSampler.State at =
              sampler.map(BatchSampler::state).orElse(new BatchSampler.State(0, 0));
          return new long[] {sampled, grown ? 1 : 0, at.epoch(), at.position()};
        },
        saved -> {
          if (saved[0] > shard.length) {
            sampleFrom((int) saved[0]);
          }
          grown = saved[1] == 1;
          sampler.ifPresent(
              present -> present.restore(new BatchSampler.State(saved[2], (int) saved[3])));
        });
  }

  private byte[] writeReceived() {
    ByteBuffer bytes =
        ByteBuffer.allocate(Float.BYTES * receivedInputs.size() * (inputSize() + targetSize()));
    FloatBuffer values = bytes.asFloatBuffer();
    receivedInputs.forEach(values::put);
    receivedTargets.forEach(values::put);
    return bytes.array();
  }

  private void readReceived(byte[] bytes) {
    FloatBuffer values = ByteBuffer.wrap(bytes).asFloatBuffer();
    int count = values.remaining() / (inputSize() + targetSize());
    read(values, count, inputSize(), receivedInputs);
    read(values, count, targetSize(), receivedTargets);
  }

  private static void read(FloatBuffer from, int count, int size, List<float[]> into) {
    for (int i = 0; i < count; i++) {
      float[] values = new float[size];
      from.get(values);
      into.add(values);
    }
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
    public int targetSize() {
      return shared.targetSize();
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
