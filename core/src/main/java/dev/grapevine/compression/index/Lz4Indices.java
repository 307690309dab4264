package dev.grapevine.compression.index;

import dev.grapevine.compression.IndexCodec;
import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.PayloadWriter;
import dev.grapevine.scratch.Scratch;
import dev.grapevine.settings.Kind;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;

/**
 * The differences of the indices as 32-bit numbers, packed by LZ4: what DecentralizePy offers
 * beside Elias gamma. Larger than Elias gamma, but a general-purpose format.
 */
@Kind(
    name = "lz4",
    summary = "differences as 32-bit numbers, packed by LZ4",
    paper = "Y. Collet, LZ4 block format, 2011")
public final class Lz4Indices implements IndexCodec {

  @Override
  public void encode(int[] indices, int count, int universe, PayloadWriter out, Scratch scratch) {
    Rising.require(indices, count, universe);
    out.writeInt(count);
    ByteBuffer differences =
        ByteBuffer.allocate(Integer.BYTES * count).order(ByteOrder.LITTLE_ENDIAN);
    int before = 0;
    for (int i = 0; i < count; i++) {
      differences.putInt(indices[i] - before);
      before = indices[i];
    }
    // The pure Java implementation: the native one may choose other bytes, and bytes are counted.
    LZ4Compressor compressor = LZ4Factory.safeInstance().fastCompressor();
    byte[] packed = compressor.compress(differences.array());
    out.writeInt(packed.length);
    int at = out.claim(packed.length);
    System.arraycopy(packed, 0, out.array(), at, packed.length);
  }

  @Override
  public int decode(ByteBuffer in, int universe, int[] indices, Scratch scratch) {
    in.order(ByteOrder.LITTLE_ENDIAN);
    int count = Rising.readCount(in, universe, indices.length);
    Rising.requireBytes(in, Integer.BYTES);
    int length = in.getInt();
    if (length < 0) {
      throw new MalformedPayloadException("packed indices of no length: length=" + length);
    }
    Rising.requireBytes(in, length);
    byte[] packed = new byte[length];
    in.get(packed);
    byte[] whole = new byte[Integer.BYTES * count];
    try {
      int unpacked =
          LZ4Factory.safeInstance().safeDecompressor().decompress(packed, 0, length, whole, 0);
      if (unpacked != whole.length) {
        throw new MalformedPayloadException(
            "packed indices are too few: count=%d, bytes=%d".formatted(count, unpacked));
      }
    } catch (LZ4Exception e) {
      throw new MalformedPayloadException("packed indices are damaged: count=" + count);
    }
    ByteBuffer differences = ByteBuffer.wrap(whole).order(ByteOrder.LITTLE_ENDIAN);
    long index = 0;
    for (int i = 0; i < count; i++) {
      int difference = differences.getInt();
      index += difference;
      if (index >= universe || difference < (i == 0 ? 0 : 1)) {
        throw new MalformedPayloadException(
            "index out of range or not rising: index=%d, universe=%d".formatted(index, universe));
      }
      indices[i] = (int) index;
    }
    return count;
  }
}
