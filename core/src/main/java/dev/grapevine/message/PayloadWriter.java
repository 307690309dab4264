package dev.grapevine.message;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A growing little-endian buffer that becomes a {@link Payload}. What is written between {@link
 * #beginMetadata} and {@link #endMetadata} counts as metadata.
 */
public final class PayloadWriter {

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private byte[] bytes;
  private int size;
  private int metadata;
  private int metadataStart = -1;

  public PayloadWriter(int expectedSize) {
    bytes = new byte[Math.max(16, expectedSize)];
  }

  public int size() {
    return size;
  }

  public void beginMetadata() {
    metadataStart = size;
  }

  public void endMetadata() {
    metadata += size - metadataStart;
    metadataStart = -1;
  }

  public void writeByte(int value) {
    int at = claim(1);
    bytes[at] = (byte) value;
  }

  public void writeInt(int value) {
    INT.set(array(Integer.BYTES), size - Integer.BYTES, value);
  }

  public void writeLong(long value) {
    LONG.set(array(Long.BYTES), size - Long.BYTES, value);
  }

  public void writeFloat(float value) {
    writeInt(Float.floatToRawIntBits(value));
  }

  public void writeBytes(byte[] source, int offset, int length) {
    int at = claim(length);
    System.arraycopy(source, offset, bytes, at, length);
  }

  /**
   * Makes room for {@code length} bytes and returns where they begin in {@link #array()}; the
   * caller fills them.
   */
  public int claim(int length) {
    int at = size;
    int needed = Math.addExact(size, length);
    if (needed > bytes.length) {
      bytes = Arrays.copyOf(bytes, (int) Math.min(Integer.MAX_VALUE - 8L, 2L * needed));
    }
    size = needed;
    return at;
  }

  /** Gives back the last bytes of a claim that turned out too large. */
  public void truncate(int newSize) {
    if (newSize < 0 || newSize > size) {
      throw new IllegalArgumentException("size=%d, newSize=%d".formatted(size, newSize));
    }
    size = newSize;
  }

  /** The array behind the buffer, until the next claim. */
  public byte[] array() {
    return bytes;
  }

  /** The payload; the writer must not be used afterwards. */
  public Payload finish() {
    return Payload.of(bytes, size, metadata);
  }

  private byte[] array(int claimed) {
    claim(claimed);
    return bytes;
  }
}
