package dev.grapevine.compression;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntFunction;
import java.util.function.ToIntFunction;

/**
 * Arrays for work that lasts no longer than one call. A thousand nodes run on a few cores, so a few
 * arrays serve them all: neither each node nor each (virtual) thread keeps its own. What is lent is
 * not cleared. An array that is not given back, because of an exception, is merely forgotten.
 */
public final class Scratch {

  private static final Stash<float[]> FLOATS = new Stash<>(float[]::new, a -> a.length);
  private static final Stash<int[]> INTS = new Stash<>(int[]::new, a -> a.length);
  private static final Stash<byte[]> BYTES = new Stash<>(byte[]::new, a -> a.length);

  private Scratch() {}

  /** At least {@code length} floats of any content. */
  public static float[] floats(int length) {
    return FLOATS.take(length);
  }

  /** At least {@code length} ints of any content. */
  public static int[] ints(int length) {
    return INTS.take(length);
  }

  /** At least {@code length} bytes of any content. */
  public static byte[] bytes(int length) {
    return BYTES.take(length);
  }

  public static void giveBack(float[] array) {
    FLOATS.put(array);
  }

  public static void giveBack(int[] array) {
    INTS.put(array);
  }

  public static void giveBack(byte[] array) {
    BYTES.put(array);
  }

  private static final class Stash<A> {

    private final AtomicReferenceArray<A> slots =
        new AtomicReferenceArray<>(2 * Runtime.getRuntime().availableProcessors());
    private final IntFunction<A> make;
    private final ToIntFunction<A> length;

    Stash(IntFunction<A> make, ToIntFunction<A> length) {
      this.make = make;
      this.length = length;
    }

    A take(int needed) {
      for (int i = 0; i < slots.length(); i++) {
        A held = slots.getPlain(i);
        if (held != null
            && length.applyAsInt(held) >= needed
            && slots.compareAndSet(i, held, null)) {
          return held;
        }
      }
      return make.apply(needed);
    }

    /** Into an empty slot, or in place of a smaller array. */
    void put(A array) {
      for (int i = 0; i < slots.length(); i++) {
        if (slots.compareAndSet(i, null, array)) {
          return;
        }
      }
      for (int i = 0; i < slots.length(); i++) {
        A held = slots.get(i);
        if (held == null || length.applyAsInt(held) < length.applyAsInt(array)) {
          slots.set(i, array);
          return;
        }
      }
    }
  }
}
