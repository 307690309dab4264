package dev.grapevine.sharing.partial;

import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.PayloadWriter;
import dev.grapevine.scratch.Scratch;
import dev.grapevine.sharing.Budget;
import dev.grapevine.sharing.Incoming;
import dev.grapevine.sharing.RandomMask;
import java.nio.ByteBuffer;
import java.util.random.RandomGenerator;

/** Picks by lot. What travels is the seed of the lot and how many: twelve bytes. */
final class RandomPicker implements Picker {

  private final RandomGenerator random;

  RandomPicker(RandomGenerator random) {
    this.random = random;
  }

  @Override
  public boolean isMemoryless() {
    return true;
  }

  @Override
  public int pick(Moment moment, int[] indices, PayloadWriter out, Scratch scratch) {
    long seed = random.nextLong();
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
