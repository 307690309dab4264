package dev.grapevine.scratch;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Working arrays by name, for one user at a time: whoever borrowed it from a {@link ScratchPool}
 * and hands it down to what it calls. An array keeps its place under its name, so that a call
 * allocates nothing once one like it has been made; its contents are what the last user left. Names
 * begin with who uses them ({@code zfp.bytes}), as a caller and what it calls must not have the
 * same array.
 */
public final class Scratch implements AutoCloseable {

  private final Map<String, float[]> floats = new HashMap<>();
  private final Map<String, float[]> exactFloats = new HashMap<>();
  private final Map<String, int[]> ints = new HashMap<>();
  private final Map<String, long[]> longs = new HashMap<>();
  private final Map<String, byte[]> bytes = new HashMap<>();
  private final @Nullable ScratchPool home;

  // What is kept until the scratch is given back: chunks are filled one after the other.
  private final List<Room> rooms = new ArrayList<>();
  private int open;
  private int used;

  /** Where {@link #room} found place: both arrays from {@code at} on. */
  public record Room(int[] indices, float[] values, int at) {}

  /** One that belongs to its maker alone. */
  public Scratch() {
    home = null;
  }

  Scratch(ScratchPool home) {
    this.home = home;
  }

  /** At least {@code size} floats. */
  public float[] floats(String name, int size) {
    float[] held = floats.get(name);
    if (held == null || held.length < size) {
      held = new float[size];
      floats.put(name, held);
    }
    return held;
  }

  /** Exactly {@code size} floats, for code that takes the length from the array. */
  public float[] exactFloats(String name, int size) {
    float[] held = exactFloats.get(name);
    if (held == null || held.length != size) {
      held = new float[size];
      exactFloats.put(name, held);
    }
    return held;
  }

  /** At least {@code size} ints. */
  public int[] ints(String name, int size) {
    int[] held = ints.get(name);
    if (held == null || held.length < size) {
      held = new int[size];
      ints.put(name, held);
    }
    return held;
  }

  /** At least {@code size} longs. */
  public long[] longs(String name, int size) {
    long[] held = longs.get(name);
    if (held == null || held.length < size) {
      held = new long[size];
      longs.put(name, held);
    }
    return held;
  }

  /** At least {@code size} bytes. */
  public byte[] bytes(String name, int size) {
    byte[] held = bytes.get(name);
    if (held == null || held.length < size) {
      held = new byte[size];
      bytes.put(name, held);
    }
    return held;
  }

  /**
   * Place for {@code count} positions and values that nobody else gets until the scratch is given
   * back; {@code chunk} is how much is taken from memory at a time, at least.
   */
  public Room room(int count, int chunk) {
    while (open < rooms.size() && rooms.get(open).values.length - used < count) {
      open++;
      used = 0;
    }
    if (open == rooms.size()) {
      int size = Math.max(count, chunk);
      rooms.add(new Room(new int[size], new float[size], 0));
    }
    Room free = rooms.get(open);
    Room taken = new Room(free.indices, free.values, used);
    used += count;
    return taken;
  }

  /** Gives it back to its pool; its arrays may be another's from now on. */
  @Override
  public void close() {
    open = 0;
    used = 0;
    if (home != null) {
      home.giveBack(this);
    }
  }
}
