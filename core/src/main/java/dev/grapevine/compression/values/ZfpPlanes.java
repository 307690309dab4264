package dev.grapevine.compression.values;

/**
 * How zfp writes one bit plane of a block of four, for every plane and every number of values that
 * are known to be significant. A plane is four bits, the first value's lowest.
 *
 * <p>The bits of the significant values come as they are. Then, until all four are significant or
 * nothing is left: a bit that says whether any further value has its bit set, and if so the bits up
 * to and including that one, where a bit that must be one (the last value's) is left out.
 */
final class ZfpPlanes {

  /** The longest code of a plane: with none significant and all set. */
  static final int LONGEST = 7;

  /** At 16·significant + plane: code, length shifted by 8, significant after it by 12. */
  static final int[] ENCODE = new int[5 * 16];

  /** At 128·significant + next seven bits: plane, length shifted by 8, significant by 12. */
  static final int[] DECODE = new int[5 * 128];

  static {
    for (int significant = 0; significant <= 4; significant++) {
      for (int plane = 0; plane < 16; plane++) {
        int entry = encode(plane, significant);
        ENCODE[16 * significant + plane] = entry;
        int length = entry >> 8 & 15;
        // Every continuation of the code reads back as this plane.
        for (int rest = 0; rest < 1 << (LONGEST - length); rest++) {
          DECODE[128 * significant + (entry & 127 | rest << length)] = entry & ~255 | plane;
        }
      }
    }
  }

  private ZfpPlanes() {}

  /**
   * The planes of the lower sixteen bits of four integers, four bits each, from the highest plane
   * in the lowest four bits.
   */
  static long gather(int x, int y, int z, int w) {
    return reverse(spread(x) | spread(y) << 1 | spread(z) << 2 | spread(w) << 3);
  }

  /** The sixteen bits of one of the four integers that {@link #gather} put together. */
  static int part(long gathered, int index) {
    long v = reverse(gathered) >>> index & 0x1111_1111_1111_1111L;
    v = (v | v >>> 3) & 0x0303_0303_0303_0303L;
    v = (v | v >>> 6) & 0x000f_000f_000f_000fL;
    v = (v | v >>> 12) & 0x0000_00ff_0000_00ffL;
    return (int) (v | v >>> 24) & 0xffff;
  }

  /** Sixteen bits, three zeros above each. */
  private static long spread(int bits) {
    long v = bits & 0xffff;
    v = (v | v << 24) & 0x0000_00ff_0000_00ffL;
    v = (v | v << 12) & 0x000f_000f_000f_000fL;
    v = (v | v << 6) & 0x0303_0303_0303_0303L;
    return (v | v << 3) & 0x1111_1111_1111_1111L;
  }

  /** The sixteen groups of four bits in the other order. */
  private static long reverse(long groups) {
    long bytes = Long.reverseBytes(groups);
    return bytes >>> 4 & 0x0f0f_0f0f_0f0f_0f0fL | (bytes & 0x0f0f_0f0f_0f0f_0f0fL) << 4;
  }

  private static int encode(int plane, int significant) {
    int code = plane & ((1 << significant) - 1);
    int length = significant;
    int rest = plane >> significant;
    int n = significant;
    while (n < 4) {
      int any = rest != 0 ? 1 : 0;
      code |= any << length++;
      if (any == 0) {
        break;
      }
      while (n < 3) {
        int bit = rest & 1;
        code |= bit << length++;
        if (bit == 1) {
          break;
        }
        rest >>= 1;
        n++;
      }
      rest >>= 1;
      n++;
    }
    return code | length << 8 | n << 12;
  }
}
