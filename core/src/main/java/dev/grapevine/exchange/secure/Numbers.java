package dev.grapevine.exchange.secure;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ShortBuffer;

/** Numbers of 32 or 16 bits as they travel: little-endian. */
final class Numbers {

  private Numbers() {}

  /** Writes numbers into an array from {@code at} on. */
  static void write(int[] numbers, int count, int bits, byte[] into, int at) {
    ByteBuffer out = ByteBuffer.wrap(into).order(ByteOrder.LITTLE_ENDIAN).position(at);
    if (bits == Integer.SIZE) {
      out.asIntBuffer().put(numbers, 0, count);
    } else {
      ShortBuffer halves = out.asShortBuffer();
      for (int i = 0; i < count; i++) {
        halves.put(i, (short) numbers[i]);
      }
    }
  }

  /** Adds the numbers that {@code in} holds next. */
  static void add(ByteBuffer in, int bits, int[] numbers, int count, int[] block) {
    if (bits == Integer.SIZE) {
      for (int from = 0; from < count; from += block.length) {
        int length = Math.min(block.length, count - from);
        in.slice(in.position() + Integer.BYTES * from, Integer.BYTES * length)
            .order(ByteOrder.LITTLE_ENDIAN)
            .asIntBuffer()
            .get(block, 0, length);
        for (int i = 0; i < length; i++) {
          numbers[from + i] += block[i];
        }
      }
    } else {
      ShortBuffer halves = in.slice().order(ByteOrder.LITTLE_ENDIAN).asShortBuffer();
      for (int i = 0; i < count; i++) {
        numbers[i] += halves.get(i);
      }
    }
  }
}
