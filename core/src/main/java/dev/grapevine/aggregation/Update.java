package dev.grapevine.aggregation;

import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.Payload;
import dev.grapevine.scratch.Scratch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.Arrays;

/**
 * What one sender's message stands for: a vector, of which coordinates may be left out. What a
 * codec has just read into working arrays is good until it reads the next; {@link #kept} until the
 * exchange is over.
 */
public interface Update {

  /** An update that says nothing. */
  Update NOTHING = new Sparse(new int[0], new float[0], 0, 0);

  /** Whether no coordinate is left out. */
  boolean isWhole();

  /**
   * Copies coordinates into the beginning of {@code block}; those left out are the node's own.
   *
   * @param from the first coordinate
   * @param own the node's own vector
   */
  void read(int from, int length, float[] own, float[] block);

  /** Adds {@code weight} times the update to {@code sum}, left-out coordinates counting as zero. */
  void addTo(float[] sum, float weight);

  /** Whether it holds numbers only: nothing infinite, nothing that is not a number. */
  boolean isFinite();

  /**
   * The same update.
   *
   * @throws MalformedPayloadException when it is not {@linkplain #isFinite finite}: combined with
   *     anything, it would spoil it for good
   */
  default Update requireFinite() {
    if (!isFinite()) {
      throw new MalformedPayloadException(
          "an update that is not finite: its sender has diverged, or is none of this run");
    }
    return this;
  }

  /** The same in arrays that nobody else gets until the scratch is given back. */
  default Update kept(Scratch scratch) {
    return this;
  }

  /** A whole vector of little-endian floats, read in place and never built. */
  static Update ofBytes(Payload payload, int size) {
    if (payload.size() != size * (long) Float.BYTES) {
      throw new MalformedPayloadException(
          "model of the wrong size: bytes=%d, expected=%d"
              .formatted(payload.size(), size * (long) Float.BYTES));
    }
    return new Raw(payload, payload.buffer().asFloatBuffer());
  }

  /** A whole vector: {@code size} values from {@code at} on. */
  static Update ofVector(float[] values, int at, int size) {
    return new Whole(values, at, size);
  }

  /** The bytes of {@code vector} as {@link #ofBytes} reads them. */
  static Payload payload(float[] vector) {
    byte[] bytes = new byte[Math.multiplyExact(vector.length, Float.BYTES)];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().put(vector);
    return Payload.of(bytes);
  }

  /** A whole vector in a message, as little-endian floats. */
  record Raw(Payload payload, FloatBuffer values) implements Update {

    @Override
    public boolean isWhole() {
      return true;
    }

    @Override
    public boolean isFinite() {
      return Finite.all(this, values.limit());
    }

    @Override
    public void read(int from, int length, float[] own, float[] block) {
      values.get(from, block, 0, length);
    }

    @Override
    public void addTo(float[] sum, float weight) {
      payload.addFloats(weight, sum, 0, values.limit());
    }
  }

  /** A whole vector in memory. */
  record Whole(float[] values, int at, int size) implements Update {

    @Override
    public boolean isWhole() {
      return true;
    }

    @Override
    public boolean isFinite() {
      return Finite.all(values, at, at + size);
    }

    @Override
    public void read(int from, int length, float[] own, float[] block) {
      System.arraycopy(values, at + from, block, 0, length);
    }

    @Override
    public void addTo(float[] sum, float weight) {
      for (int i = 0; i < size; i++) {
        sum[i] += weight * values[at + i];
      }
    }

    @Override
    public Update kept(Scratch scratch) {
      Scratch.Room room = scratch.room(size, size);
      System.arraycopy(values, at, room.values(), room.at(), size);
      return new Whole(room.values(), room.at(), size);
    }
  }

  /** Rising coordinates and their values, from {@code at} up to {@code end} of both arrays. */
  record Sparse(int[] indices, float[] values, int at, int end) implements Update {

    @Override
    public boolean isWhole() {
      return false;
    }

    @Override
    public boolean isFinite() {
      return Finite.all(values, at, end);
    }

    @Override
    public void read(int from, int length, float[] own, float[] block) {
      System.arraycopy(own, from, block, 0, length);
      int found = Arrays.binarySearch(indices, at, end, from);
      for (int i = found < 0 ? -found - 1 : found; i < end && indices[i] < from + length; i++) {
        block[indices[i] - from] = values[i];
      }
    }

    @Override
    public void addTo(float[] sum, float weight) {
      for (int i = at; i < end; i++) {
        sum[indices[i]] += weight * values[i];
      }
    }

    @Override
    public Update kept(Scratch scratch) {
      int count = end - at;
      Scratch.Room room = scratch.room(count, indices.length);
      System.arraycopy(indices, at, room.indices(), room.at(), count);
      System.arraycopy(values, at, room.values(), room.at(), count);
      return new Sparse(room.indices(), room.values(), room.at(), room.at() + count);
    }
  }
}
