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

  /** How many bits the decoder looks up at once. */
  static final int STEP_BITS = 10;

  /** At 16·significant + plane: code, length shifted by 8, significant after it by 12. */
  static final int[] ENCODE = new int[5 * 16];

  /**
   * At 256·significant + two planes: their codes one behind the other, length shifted by 16,
   * significant by 24.
   */
  static final int[] ENCODE_TWO = new int[4 * 256];

  /** At 128·significant + next seven bits, a step of one plane. */
  static final int[] DECODE = new int[4 * 128];

  /**
   * At 1024·significant + next ten bits, a step of as many planes as those bits hold, at most five,
   * until all four values are significant; when they are, a step of none.
   */
  static final int[] DECODE_MANY = new int[5 << STEP_BITS];

  private static final int MOST_PLANES = 5;

  static {
    for (int significant = 0; significant <= 4; significant++) {
      for (int plane = 0; plane < 16; plane++) {
        ENCODE[16 * significant + plane] = encode(plane, significant);
      }
    }
    for (int significant = 0; significant < 4; significant++) {
      for (int planes = 0; planes < 256; planes++) {
        ENCODE_TWO[256 * significant + planes] = encodeTwo(planes, significant);
      }
      for (int plane = 0; plane < 16; plane++) {
        int entry = ENCODE[16 * significant + plane];
        int length = entry >> 8 & 15;
        // Every continuation of the code reads back as this plane.
        for (int rest = 0; rest < 1 << (LONGEST - length); rest++) {
          DECODE[128 * significant + (entry & 127 | rest << length)] =
              step(plane, length, 1, entry >> 12);
        }
      }
    }
    for (int index = 0; index < DECODE_MANY.length; index++) {
      DECODE_MANY[index] = decodeMany(index & (1 << STEP_BITS) - 1, index >> STEP_BITS);
    }
  }

  private ZfpPlanes() {}

  /** The length stands lowest, where a shift looks for its distance. */
  private static int step(int gathered, int length, int planes, int significant) {
    return length | planes << 6 | significant << 9 | gathered << 12;
  }

  /** The planes of a step, the first in the lowest four bits. */
  static long gathered(int step) {
    return step >>> 12;
  }

  /** How many bits a step takes; {@code window >>> step} skips as many, too. */
  static int length(int step) {
    return step & 63;
  }

  static int planes(int step) {
    return step >> 6 & 7;
  }

  /** How many values are significant after a step. */
  static int significant(int step) {
    return step >> 9 & 7;
  }

  /** The step of {@link #DECODE_MANY} that follows another. */
  static int next(int step, long window) {
    // The number of significant values, moved above the bits that are looked up.
    return DECODE_MANY[step << 1 & 7 << STEP_BITS | (int) window & (1 << STEP_BITS) - 1];
  }

  private static int decodeMany(int bits, int known) {
    int gathered = 0;
    int taken = 0;
    int planes = 0;
    int significant = known;
    while (significant < 4 && planes < MOST_PLANES) {
      int one = DECODE[128 * significant + (bits >> taken & 127)];
      // A code that goes on beyond these bits has been read with zeros in their place.
      if (taken + length(one) > STEP_BITS) {
        break;
      }
      gathered |= (int) gathered(one) << 4 * planes;
      taken += length(one);
      planes++;
      significant = significant(one);
    }
    return step(gathered, taken, planes, significant);
  }

  private static int encodeTwo(int planes, int significant) {
    int first = ENCODE[16 * significant + (planes & 15)];
    int second = ENCODE[16 * (first >> 12) + (planes >> 4)];
    int length = first >> 8 & 15;
    return first & 127
        | (second & 127) << length
        | length + (second >> 8 & 15) << 16
        | second >> 12 << 24;
  }

  /**
   * The planes of the lower sixteen bits of four integers, four bits each, from the highest plane
   * in the lowest four bits.
   */
  static long gather(int x, int y, int z, int w) {
    long rows = x & 0xffffL | (y & 0xffffL) << 16 | (z & 0xffffL) << 32 | (long) w << 48;
    long nearer = swap(swap(rows, 3, 0x0a0a_0a0a_0a0a_0a0aL), 6, 0x00cc_00cc_00cc_00ccL);
    return reverse(swap(swap(nearer, 15, 0x0000_aaaa_0000_aaaaL), 30, 0x0000_0000_cccc_ccccL));
  }

  /**
   * Undoes {@link #gather} for {@code count} blocks: each becomes its four integers' sixteen bits,
   * the first in the lowest.
   */
  static void part(long[] gathered, int count) {
    for (int i = 0; i < count; i++) {
      long planes = reverse(gathered[i]);
      long nearer = swap(swap(planes, 30, 0x0000_0000_cccc_ccccL), 15, 0x0000_aaaa_0000_aaaaL);
      gathered[i] = swap(swap(nearer, 6, 0x00cc_00cc_00cc_00ccL), 3, 0x0a0a_0a0a_0a0a_0a0aL);
    }
  }

  /** Swaps the bits under {@code mask} with those {@code distance} above. */
  private static long swap(long bits, int distance, long mask) {
    long differing = (bits >>> distance ^ bits) & mask;
    return bits ^ differing ^ differing << distance;
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
