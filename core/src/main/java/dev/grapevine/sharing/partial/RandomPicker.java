package dev.grapevine.sharing.partial;

import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.PayloadWriter;
import dev.grapevine.random.SplitMix;
import dev.grapevine.scratch.Scratch;
import dev.grapevine.sharing.Budget;
import dev.grapevine.sharing.Incoming;
import dev.grapevine.sharing.RandomMask;
import java.nio.ByteBuffer;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;

/**
 * Picks by lot. What travels is the seed of the lot and how many: twelve bytes. Each node has a lot
 * of its own, or all have the same one in a round.
 */
final class RandomPicker implements Picker {

  /** What the run's seed is used for here. */
  private static final long COORDINATES = 0x636f6f7264L;

  private final RandomGenerator random;
  private final OptionalLong common;

  private RandomPicker(RandomGenerator random, OptionalLong common) {
    this.random = random;
    this.common = common;
  }

  /** Each node draws from its own stream. */
  static RandomPicker own(RandomGenerator random) {
    return new RandomPicker(random, OptionalLong.empty());
  }

  /** All nodes draw the same in a round: from the run's seed and the round. */
  static RandomPicker common(RandomGenerator random, long seed) {
    return new RandomPicker(random, OptionalLong.of(seed));
  }

  @Override
  public boolean isCommon() {
    return common.isPresent();
  }

  @Override
  public boolean isMemoryless() {
    return true;
  }

  @Override
  public int pick(Moment moment, int[] indices, PayloadWriter out, Scratch scratch) {
    long seed =
        common.isPresent()
            ? SplitMix.mix(SplitMix.mix(common.getAsLong(), COORDINATES), moment.round())
            : random.nextLong();
    int count = Budget.count(moment.share(), moment.units());
    RandomMask.list(seed, moment.units(), count, indices, scratch);
    out.writeLong(seed);
    out.writeInt(count);
    return count;
  }

  @Override
  public int read(ByteBuffer in, int size, int[] indices, Scratch scratch) {
    Incoming.require(in, Long.BYTES + Integer.BYTES);
    long seed = in.getLong();
    int count = in.getInt();
    if (count < 0 || count > size) {
      throw new MalformedPayloadException(
          "mask is larger than the model: count=%d, size=%d".formatted(count, size));
    }
    RandomMask.list(seed, size, count, indices, scratch);
    return count;
  }
}
