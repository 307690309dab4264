package dev.grapevine.security.masking;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Numbers of 32 or 16 bits as they travel: little-endian. Loops over views of byte arrays, which
 * the virtual machine turns into vector instructions; copies through buffers are several times
 * slower.
 */
public final class Numbers {

  private static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle HALVES =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);

  /** How many streams are added in one pass. */
  static final int MOST_TERMS = 4;

  private Numbers() {}

  /** Writes the first {@code count} numbers into an array from {@code at} on. */
  public static void write(int[] numbers, int count, int bits, byte[] into, int at) {
    if (bits == Integer.SIZE) {
      for (int i = 0; i < count; i++) {
        WORDS.set(into, at + Integer.BYTES * i, numbers[i]);
      }
    } else {
      for (int i = 0; i < count; i++) {
        HALVES.set(into, at + Short.BYTES * i, (short) numbers[i]);
      }
    }
  }

  /** Adds what an array begins with to {@code count} numbers from {@code from} on. */
  public static void add(byte[] bytes, int bits, int[] numbers, int from, int count) {
    add(bytes, 0, 1, 0, bits, numbers, from, count);
  }

  /**
   * Adds several streams in one pass.
   *
   * @param stride from the first byte of a stream to that of the next
   * @param terms how many streams there are, at most {@link #MOST_TERMS}
   * @param more what is added besides
   */
  static void add(
      byte[] bytes, int stride, int terms, int more, int bits, int[] numbers, int from, int count) {
    if (bits != Integer.SIZE) {
      for (int term = 0; term < terms; term++) {
        addHalves(bytes, term * stride, term == 0 ? more : 0, numbers, from, count);
      }
      return;
    }
    switch (terms) {
      case 1 -> addOne(bytes, more, numbers, from, count);
      case 2 -> addTwo(bytes, stride, more, numbers, from, count);
      case 3 -> addThree(bytes, stride, more, numbers, from, count);
      default -> addFour(bytes, stride, more, numbers, from, count);
    }
  }

  private static void addHalves(
      byte[] bytes, int at, int more, int[] numbers, int from, int count) {
    for (int i = 0; i < count; i++) {
      numbers[from + i] += (short) HALVES.get(bytes, at + Short.BYTES * i) + more;
    }
  }

  private static void addOne(byte[] bytes, int more, int[] numbers, int from, int count) {
    for (int i = 0; i < count; i++) {
      numbers[from + i] += more + (int) WORDS.get(bytes, Integer.BYTES * i);
    }
  }

  private static void addTwo(
      byte[] bytes, int second, int more, int[] numbers, int from, int count) {
    for (int i = 0; i < count; i++) {
      numbers[from + i] +=
          more
              + (int) WORDS.get(bytes, Integer.BYTES * i)
              + (int) WORDS.get(bytes, second + Integer.BYTES * i);
    }
  }

  private static void addThree(
      byte[] bytes, int stride, int more, int[] numbers, int from, int count) {
    int third = 2 * stride;
    for (int i = 0; i < count; i++) {
      numbers[from + i] +=
          more
              + (int) WORDS.get(bytes, Integer.BYTES * i)
              + (int) WORDS.get(bytes, stride + Integer.BYTES * i)
              + (int) WORDS.get(bytes, third + Integer.BYTES * i);
    }
  }

  private static void addFour(
      byte[] bytes, int stride, int more, int[] numbers, int from, int count) {
    int third = 2 * stride;
    int fourth = 3 * stride;
    for (int i = 0; i < count; i++) {
      numbers[from + i] +=
          more
              + (int) WORDS.get(bytes, Integer.BYTES * i)
              + (int) WORDS.get(bytes, stride + Integer.BYTES * i)
              + (int) WORDS.get(bytes, third + Integer.BYTES * i)
              + (int) WORDS.get(bytes, fourth + Integer.BYTES * i);
    }
  }
}
