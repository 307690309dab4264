package dev.grapevine.compression.values;

import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.PayloadWriter;
import dev.grapevine.scratch.Scratch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Floats through a compressor of bytes: a form, the compressed length, the compressed planes. The
 * reader knows how many bytes must come out and gives the decompressor room for no more, so a lie
 * about sizes cannot make it allocate.
 */
final class GeneralPurpose {

  /** A block compressor of bytes. */
  interface Compressor {

    int largestSize(int length);

    /** Compresses the first {@code length} bytes and returns how many were written. */
    int compress(byte[] from, int length, byte[] to, int toAt, int room);

    /** Decompresses into at most {@code room} bytes; returns how many, or −1 for nonsense. */
    int decompress(byte[] from, int length, byte[] to, int room);
  }

  private final Compressor compressor;

  GeneralPurpose(Compressor compressor) {
    this.compressor = compressor;
  }

  void encode(float[] values, int count, PayloadWriter out, Scratch scratch) {
    int start = out.size();
    int length = Math.multiplyExact(count, Float.BYTES);
    byte[] planes = scratch.bytes("planes", length);
    BytePlanes.split(values, count, planes);
    int room = compressor.largestSize(length);
    out.writeByte(Form.CODED);
    int header = out.claim(Integer.BYTES);
    int at = out.claim(room);
    int size = compressor.compress(planes, length, out.array(), at, room);
    out.truncate(header);
    if (Integer.BYTES + size >= length) {
      out.truncate(start);
      Form.writeRaw(values, count, out);
    } else {
      out.writeInt(size);
      out.claim(size);
    }
  }

  void decode(ByteBuffer in, float[] values, int count, Scratch scratch) {
    if (Form.readRaw(in, values, count)) {
      return;
    }
    Remaining.require(in, Integer.BYTES);
    int size = in.order(ByteOrder.LITTLE_ENDIAN).getInt();
    int length = Math.multiplyExact(count, Float.BYTES);
    if (size < 0 || size > in.remaining() || size > length) {
      throw new MalformedPayloadException(
          "compressed length does not fit: length=%d, bytes=%d, values=%d"
              .formatted(size, in.remaining(), count));
    }
    byte[] compressed = scratch.bytes("compressed", size);
    byte[] planes = scratch.bytes("planes", length);
    in.get(compressed, 0, size);
    int found = compressor.decompress(compressed, size, planes, length);
    if (found == length) {
      BytePlanes.join(planes, count, values);
    }
    if (found != length) {
      throw new MalformedPayloadException(
          "compressed values do not hold what they should: expected=%d, found=%d"
              .formatted(length, found));
    }
  }
}
