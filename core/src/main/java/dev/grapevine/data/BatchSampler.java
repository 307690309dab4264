package dev.grapevine.data;

import dev.grapevine.engine.Batch;
import dev.grapevine.random.SplitMix;
import java.util.Optional;

/**
 * Walks over a node's shard in mini-batches: shuffled without replacement within an epoch, the last
 * batch of an epoch being smaller when the sizes do not divide. The order of an epoch depends only
 * on (seed, epoch), so the place in the walk is two numbers, kept over rounds and checkpoints.
 * Filling a batch allocates nothing. Not safe for concurrent use.
 */
public final class BatchSampler {

  /**
   * Where a sampler stands.
   *
   * @param epoch epochs completed
   * @param position samples used in the present epoch
   */
  public record State(long epoch, int position) {}

  private static final long AUGMENTATION = 1;

  private final DataSet data;
  private final int[] shard;
  private final int[] order;
  private final int batchSize;
  private final long seed;
  private final Optional<Augmentation> augmentation;
  private final SplitMix random = new SplitMix(0);
  private long epoch;
  private int position;

  /**
   * @param shard the node's sample numbers
   * @param seed the node's own seed for this purpose
   * @param augmentation applied to every batch, with a stream of this node
   */
  public BatchSampler(
      DataSet data, int[] shard, int batchSize, long seed, Optional<Augmentation> augmentation) {
    if (shard.length == 0 || batchSize < 1) {
      throw new IllegalArgumentException(
          "nothing to sample: samples=%d, batchSize=%d".formatted(shard.length, batchSize));
    }
    this.data = data;
    this.shard = shard;
    this.order = new int[shard.length];
    this.batchSize = batchSize;
    this.seed = seed;
    this.augmentation = augmentation;
    shuffle();
  }

  /** Fills the batch with the next samples. */
  public void next(Batch batch) {
    if (position == order.length) {
      epoch++;
      position = 0;
      shuffle();
    }
    int count = Math.min(batchSize, order.length - position);
    data.fill(order, position, count, batch);
    if (augmentation.isPresent()) {
      random.reseed(SplitMix.mix(SplitMix.mix(seed, ~epoch), position + AUGMENTATION));
      augmentation.get().apply(batch, random);
    }
    position += count;
  }

  public State state() {
    return new State(epoch, position);
  }

  /** Goes on from where another sampler of the same shard and seed stood. */
  public void restore(State state) {
    if (state.epoch() < 0 || state.position() < 0 || state.position() > order.length) {
      throw new IllegalArgumentException(
          "state does not fit the shard: state=%s, samples=%d".formatted(state, order.length));
    }
    epoch = state.epoch();
    position = state.position();
    shuffle();
  }

  private void shuffle() {
    System.arraycopy(shard, 0, order, 0, shard.length);
    random.reseed(SplitMix.mix(seed, epoch));
    SplitMix.shuffle(order, random);
  }
}
