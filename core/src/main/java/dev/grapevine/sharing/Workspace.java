package dev.grapevine.sharing;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * Working arrays of model size that a scheme needs for the length of one call. They come from a
 * pool that all nodes of a process share, so that there are as many as threads that share at the
 * same time, not as many as nodes. Contents are what the last user left.
 */
public final class Workspace implements AutoCloseable {

  // More than the compute threads of any sensible machine part; what does not fit is garbage.
  private static final BlockingQueue<Workspace> POOL = new ArrayBlockingQueue<>(256);

  private final float[][] floats = new float[8][0];
  private final int[][] ints = new int[4][0];
  private float[] exact = new float[0];
  private final long[][] words = new long[2][0];

  private Workspace() {}

  /** Takes one from the pool until it is closed. */
  public static Workspace borrow() {
    Workspace free = POOL.poll();
    return free == null ? new Workspace() : free;
  }

  /** The float array of a slot from 0 to 7, at least {@code size} long. */
  public float[] floats(int slot, int size) {
    if (floats[slot].length < size) {
      floats[slot] = new float[size];
    }
    return floats[slot];
  }

  /** An array of exactly {@code size} floats, for code that takes the length from the array. */
  public float[] exactFloats(int size) {
    if (exact.length != size) {
      exact = new float[size];
    }
    return exact;
  }

  /** The int array of a slot from 0 to 3, at least {@code size} long. */
  public int[] ints(int slot, int size) {
    if (ints[slot].length < size) {
      ints[slot] = new int[size];
    }
    return ints[slot];
  }

  /** The array of longs of slot 0 or 1, at least {@code size} long. */
  public long[] words(int slot, int size) {
    if (words[slot].length < size) {
      words[slot] = new long[size];
    }
    return words[slot];
  }

  @Override
  public void close() {
    // A full pool drops it; nothing depends on which one is handed out next.
    boolean kept = POOL.offer(this);
    assert kept || POOL.remainingCapacity() == 0;
  }
}
