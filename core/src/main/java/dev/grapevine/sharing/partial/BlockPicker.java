package dev.grapevine.sharing.partial;

import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.PayloadWriter;
import dev.grapevine.scratch.Scratch;
import dev.grapevine.sharing.Incoming;
import java.nio.ByteBuffer;

/**
 * Picks one block after the other, the same on every node in a round. With a share α there are
 * ⌈1/α⌉ blocks of nearly equal size. What travels is where the block begins and ends.
 */
final class BlockPicker implements Picker {

  @Override
  public boolean isMemoryless() {
    return true;
  }

  @Override
  public boolean isCommon() {
    return true;
  }

  @Override
  public int pick(Moment moment, int[] indices, PayloadWriter out, Scratch scratch) {
    int size = moment.units();
    int blocks = (int) Math.min(size, Math.ceil(1 / moment.share()));
    int block = Math.floorMod(moment.round(), blocks);
    int from = (int) ((long) size * block / blocks);
    int to = (int) ((long) size * (block + 1) / blocks);
    out.writeInt(from);
    out.writeInt(to);
    return list(from, to, indices);
  }

  @Override
  public int read(ByteBuffer in, int size, int[] indices, Scratch scratch) {
    Incoming.require(in, 2 * Integer.BYTES);
    int from = in.getInt();
    int to = in.getInt();
    if (from < 0 || to < from || to > size) {
      throw new MalformedPayloadException(
          "block does not lie in the model: from=%d, to=%d, size=%d".formatted(from, to, size));
    }
    return list(from, to, indices);
  }

  private static int list(int from, int to, int[] indices) {
    for (int i = from; i < to; i++) {
      indices[i - from] = i;
    }
    return to - from;
  }
}
