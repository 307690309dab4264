package dev.grapevine.message;

import dev.grapevine.engine.kernel.SignalKernels;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import java.util.zip.CRC32C;

/**
 * The encoded content of a message. It is immutable from the moment it exists: whoever makes one
 * gives its array away. That is what makes a run deterministic, since a message in flight cannot
 * change while its sender trains on.
 */
public final class Payload implements Outgoing {

  private static final Payload EMPTY = new Payload(new byte[0], 0, 0, 0);

  private final byte[] bytes;
  private final int offset;
  private final int length;
  private final int metadata;

  private Payload(byte[] bytes, int offset, int length, int metadata) {
    this.bytes = bytes;
    this.offset = offset;
    this.length = length;
    this.metadata = metadata;
  }

  /** A payload of the whole array, which the caller must not touch again. */
  public static Payload of(byte[] bytes) {
    return of(bytes, bytes.length, 0);
  }

  /**
   * A payload of the first {@code length} bytes.
   *
   * @param metadata how many of them describe the values (indices, seeds, headers) rather than
   *     being values; for accounting only
   */
  public static Payload of(byte[] bytes, int length, int metadata) {
    if (length < 0 || length > bytes.length || metadata < 0 || metadata > length) {
      throw new IllegalArgumentException(
          "payload does not fit its array: array=%d, length=%d, metadata=%d"
              .formatted(bytes.length, length, metadata));
    }
    return new Payload(bytes, 0, length, metadata);
  }

  public static Payload empty() {
    return EMPTY;
  }

  /** What follows the first {@code skipped} bytes, which were metadata; nothing is copied. */
  public Payload after(int skipped) {
    if (skipped > length) {
      throw new MalformedPayloadException(
          "message is cut off: needed=%d, bytes=%d".formatted(skipped, length));
    }
    return new Payload(bytes, offset + skipped, length - skipped, Math.max(0, metadata - skipped));
  }

  public int size() {
    return length;
  }

  /** Bytes of the payload that are not values. */
  public int metadataSize() {
    return metadata;
  }

  /** A fresh read-only, little-endian view from the first byte to the last. */
  public ByteBuffer buffer() {
    return ByteBuffer.wrap(bytes, offset, length)
        .slice()
        .asReadOnlyBuffer()
        .order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * Of a payload of little-endian floats alone, adds {@code factor} times those from {@code from}
   * up to {@code to} to {@code sum}, each at its own index. Much of a round of whole models is
   * spent here: nothing is copied.
   */
  public void addFloats(float factor, float[] sum, int from, int to) {
    Objects.checkFromToIndex(from, to, length / Float.BYTES);
    SignalKernels.best()
        .addScaled(factor, bytes, offset + from * Float.BYTES, sum, from, to - from);
  }

  /** The CRC-32C of the bytes, for traces; costs about 0.1 ns a byte. */
  public int checksum() {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes, offset, length);
    return (int) checksum.getValue();
  }

  @Override
  public Payload to(int peer) {
    return this;
  }
}
