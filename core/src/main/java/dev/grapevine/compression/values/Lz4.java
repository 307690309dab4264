package dev.grapevine.compression.values;

import dev.grapevine.compression.FloatCodec;
import dev.grapevine.message.PayloadWriter;
import dev.grapevine.scratch.Scratch;
import dev.grapevine.settings.Kind;
import java.nio.ByteBuffer;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;

/** LZ4 blocks over byte planes; lossless. */
@Kind(
    name = "lz4",
    summary = "LZ4 over the bytes of the floats, lossless and fast",
    paper = "Y. Collet, LZ4 block format, 2011")
public final class Lz4 implements FloatCodec {

  private final GeneralPurpose codec = new GeneralPurpose(new Blocks());

  @Override
  public void encode(float[] values, int count, PayloadWriter out, Scratch scratch) {
    codec.encode(values, count, out, scratch);
  }

  @Override
  public void decode(ByteBuffer in, float[] values, int count, Scratch scratch) {
    codec.decode(in, values, count, scratch);
  }

  @Override
  public double errorBound(float magnitude) {
    return 0;
  }

  private static final class Blocks implements GeneralPurpose.Compressor {

    // The pure Java implementation: the native one may choose other bytes, and bytes are counted.
    private final LZ4Compressor compressor = LZ4Factory.safeInstance().fastCompressor();
    private final LZ4SafeDecompressor decompressor = LZ4Factory.safeInstance().safeDecompressor();

    @Override
    public int largestSize(int length) {
      return compressor.maxCompressedLength(length);
    }

    @Override
    public int compress(byte[] from, int length, byte[] to, int toAt, int room) {
      return compressor.compress(from, 0, length, to, toAt, room);
    }

    @Override
    public int decompress(byte[] from, int length, byte[] to, int room) {
      try {
        return decompressor.decompress(from, 0, length, to, 0, room);
      } catch (LZ4Exception e) {
        return -1;
      }
    }
  }
}
