package dev.grapevine.compression.index;

import dev.grapevine.compression.IndexCodec;
import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.PayloadWriter;
import dev.grapevine.scratch.Scratch;
import dev.grapevine.settings.Kind;
import java.nio.ByteBuffer;

/**
 * Whichever of {@link EliasGamma}, {@link Bitmap} and {@link RawIndices} is smallest for the list
 * at hand, after one byte that says which.
 */
@Kind(name = "auto", summary = "the smallest of elias-gamma, bitmap and raw, list by list")
public final class SmallestIndices implements IndexCodec {

  private static final int ELIAS_GAMMA = 0;
  private static final int BITMAP = 1;
  private static final int RAW = 2;

  private final IndexCodec eliasGamma = new EliasGamma();
  private final IndexCodec bitmap = new Bitmap();
  private final IndexCodec raw = new RawIndices();

  @Override
  public void encode(int[] indices, int count, int universe, PayloadWriter out, Scratch scratch) {
    int start = out.size();
    out.writeByte(ELIAS_GAMMA);
    eliasGamma.encode(indices, count, universe, out, scratch);
    long coded = out.size() - start - 1L;
    long rawSize = Integer.BYTES + (long) Integer.BYTES * count;
    if (coded <= Bitmap.size(universe) && coded <= rawSize) {
      return;
    }
    out.truncate(start);
    if (Bitmap.size(universe) <= rawSize) {
      out.writeByte(BITMAP);
      bitmap.encode(indices, count, universe, out, scratch);
    } else {
      out.writeByte(RAW);
      raw.encode(indices, count, universe, out, scratch);
    }
  }

  @Override
  public int decode(ByteBuffer in, int universe, int[] indices, Scratch scratch) {
    Rising.requireBytes(in, 1);
    int form = in.get();
    return switch (form) {
      case ELIAS_GAMMA -> eliasGamma.decode(in, universe, indices, scratch);
      case BITMAP -> bitmap.decode(in, universe, indices, scratch);
      case RAW -> raw.decode(in, universe, indices, scratch);
      default -> throw new MalformedPayloadException("unknown form of index list: form=" + form);
    };
  }
}
