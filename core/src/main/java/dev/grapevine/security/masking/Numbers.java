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
    if (bits == Integer.SIZE) {
      for (int i = 0; i < count; i++) {
        numbers[from + i] += (int) WORDS.get(bytes, Integer.BYTES * i);
      }
    } else {
      for (int i = 0; i < count; i++) {
        numbers[from + i] += (short) HALVES.get(bytes, Short.BYTES * i);
      }
    }
  }

  /** Takes it off. */
  public static void subtract(byte[] bytes, int bits, int[] numbers, int from, int count) {
    if (bits == Integer.SIZE) {
      for (int i = 0; i < count; i++) {
        numbers[from + i] -= (int) WORDS.get(bytes, Integer.BYTES * i);
      }
    } else {
      for (int i = 0; i < count; i++) {
        numbers[from + i] -= (short) HALVES.get(bytes, Short.BYTES * i);
      }
    }
  }
}
