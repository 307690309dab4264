package dev.grapevine.compression.values;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import dev.grapevine.compression.FloatCodec;
import dev.grapevine.message.PayloadWriter;
import dev.grapevine.scratch.Scratch;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.settings.SettingException;
import java.nio.ByteBuffer;

/** Zstandard frames over byte planes; lossless. */
@Kind(
    name = "zstd",
    summary = "Zstandard over the bytes of the floats, lossless",
    paper = "Y. Collet, M. Kucherawy, RFC 8878, 2021")
public final class Zstandard implements FloatCodec {

  /**
   * @param level effort
   */
  public record Settings(@Doc("effort, from 1 (fast) to 19 (small)") @Default("3") int level) {

    public Settings {
      SettingException.require(
          level >= 1 && level <= 19, "level", "level must be from 1 to 19: level=" + level);
    }
  }

  private final GeneralPurpose codec;

  public Zstandard(Settings settings) {
    codec = new GeneralPurpose(new Frames(settings.level()));
  }

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

  private record Frames(int level) implements GeneralPurpose.Compressor {

    @Override
    public int largestSize(int length) {
      return Math.toIntExact(Zstd.compressBound(length));
    }

    @Override
    public int compress(byte[] from, int length, byte[] to, int toAt, int room) {
      return (int) Zstd.compressByteArray(to, toAt, room, from, 0, length, level);
    }

    @Override
    public int decompress(byte[] from, int length, byte[] to, int room) {
      try {
        return (int) Zstd.decompressByteArray(to, 0, room, from, 0, length);
      } catch (ZstdException e) {
        return -1;
      }
    }
  }
}
