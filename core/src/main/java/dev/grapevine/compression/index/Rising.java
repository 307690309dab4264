package dev.grapevine.compression.index;

import dev.grapevine.message.MalformedPayloadException;
import java.nio.ByteBuffer;

/** What every index codec demands of the lists it writes and of the lists it reads. */
final class Rising {

  private Rising() {}

  /** Throws unless the indices rise strictly within [0, universe). */
  static void require(int[] indices, int count, int universe) {
    if (count < 0 || count > indices.length || universe < 0) {
      throw new IllegalArgumentException(
          "indices do not fill their array: count=%d, length=%d, universe=%d"
              .formatted(count, indices.length, universe));
    }
    if (count == 0) {
      return;
    }
    // One sign bit gathers every fault, so that the loop has no branch.
    int fault = indices[0];
    for (int i = 1; i < count; i++) {
      fault |= (indices[i] - indices[i - 1] - 1) | indices[i];
    }
    if (fault < 0 || indices[count - 1] >= universe) {
      throw new IllegalArgumentException(
          "indices must rise strictly within [0, universe): universe=%d, first=%d, last=%d, count=%d"
              .formatted(universe, indices[0], indices[count - 1], count));
    }
  }

  /** Reads a number of indices and checks that so many can exist and fit. */
  static int readCount(ByteBuffer in, int universe, int room) {
    if (in.remaining() < Integer.BYTES) {
      throw new MalformedPayloadException("index list is cut off: bytes=" + in.remaining());
    }
    int count = in.getInt();
    if (count < 0 || count > room || count > universe) {
      throw new MalformedPayloadException(
          "too many indices: count=%d, room=%d, universe=%d".formatted(count, room, universe));
    }
    return count;
  }

  static void requireBytes(ByteBuffer in, long needed) {
    if (in.remaining() < needed) {
      throw new MalformedPayloadException(
          "index list is cut off: needed=%d, bytes=%d".formatted(needed, in.remaining()));
    }
  }
}
