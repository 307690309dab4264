package dev.grapevine.results;

import java.math.BigInteger;

/**
 * Turns decimal digits into the nearest double: the same bits as {@link Double#parseDouble},
 * without text in between. The digits are multiplied by the leading 128 bits of a power of five;
 * Lemire shows that these decide the rounding of up to 19 digits for all powers of ten handled
 * here.
 *
 * <p>D. Lemire, "Number parsing at a gigabyte per second", Software: Practice and Experience 51
 * (2021).
 */
final class Decimals {

  /** The powers of ten for which no third product is ever needed. */
  static final int LEAST_POWER = -27;

  static final int GREATEST_POWER = 55;

  private static final int FRACTION_BITS = 52;
  private static final int EXPONENT_BIAS = 1023;

  /** Bits of a product beyond the fraction, its leading one, one for rounding and one to spare. */
  private static final int SPARE_BITS = Long.SIZE - FRACTION_BITS - 3;

  private static final long[] HIGH = new long[GREATEST_POWER - LEAST_POWER + 1];
  private static final long[] LOW = new long[GREATEST_POWER - LEAST_POWER + 1];

  static {
    for (int power = LEAST_POWER; power <= GREATEST_POWER; power++) {
      BigInteger bits = leadingBitsOfPowerOfFive(power);
      HIGH[power - LEAST_POWER] = bits.shiftRight(Long.SIZE).longValue();
      LOW[power - LEAST_POWER] = bits.longValue();
    }
  }

  private Decimals() {}

  /** The leading 128 bits of 5^power, rounded up where they do not end. */
  private static BigInteger leadingBitsOfPowerOfFive(int power) {
    BigInteger five = BigInteger.valueOf(5).pow(Math.abs(power));
    if (power >= 0) {
      int excess = five.bitLength() - 128;
      return excess > 0 ? five.shiftRight(excess) : five.shiftLeft(-excess);
    }
    BigInteger one = BigInteger.ONE.shiftLeft(five.bitLength() + 127);
    return one.divide(five).add(BigInteger.ONE);
  }

  /**
   * The double nearest to digits · 10^power, ties to even.
   *
   * @param digits all 64 bits of it, without a sign
   * @param power from {@link #LEAST_POWER} to {@link #GREATEST_POWER}
   */
  static double nearest(long digits, int power) {
    if (digits == 0) {
      return 0;
    }
    int zeros = Long.numberOfLeadingZeros(digits);
    long shifted = digits << zeros;
    long factor = HIGH[power - LEAST_POWER];
    long high = Math.unsignedMultiplyHigh(shifted, factor);
    long low = shifted * factor;
    long undecided = -1L >>> (FRACTION_BITS + 3);
    if ((high & undecided) == undecided) {
      long more = Math.unsignedMultiplyHigh(shifted, LOW[power - LEAST_POWER]);
      low += more;
      high += Long.compareUnsigned(low, more) < 0 ? 1 : 0;
    }
    int top = (int) (high >>> 63);
    int shift = SPARE_BITS + top;
    long significand = high >>> shift;
    boolean isTie =
        Long.compareUnsigned(low, 1) <= 0
            && (significand & 3) == 1
            && power >= -4
            && power <= 23
            && significand << shift == high;
    significand -= isTie ? 1 : 0;
    significand = (significand + (significand & 1)) >>> 1;
    // ⌊power · log₂ 10⌋, exact far beyond these powers.
    long exponent = (217_706L * power >> 16) + Long.SIZE - 1 + top - zeros;
    if (significand == 1L << (FRACTION_BITS + 1)) {
      significand >>>= 1;
      exponent++;
    }
    long fraction = significand & ((1L << FRACTION_BITS) - 1);
    return Double.longBitsToDouble((exponent + EXPONENT_BIAS) << FRACTION_BITS | fraction);
  }
}
