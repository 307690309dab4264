package dev.grapevine.security.masking;

/**
 * A secret cut into shares of which some number is enough to know it and fewer tell nothing: byte
 * by byte the values of a random polynomial over GF(2⁸) whose constant term is the secret (Shamir,
 * How to share a secret, 1979). The field is that of AES. Share i is the value at i + 1.
 */
public final class Shamir {

  /** More shares than this have no place of their own in the field. */
  public static final int MOST = 255;

  private static final int POLYNOMIAL = 0x11b;
  private static final int[] EXP = new int[510];
  private static final int[] LOG = new int[256];

  static {
    int power = 1;
    for (int i = 0; i < 255; i++) {
      EXP[i] = power;
      EXP[i + 255] = power;
      LOG[power] = i;
      // Times the generator x + 1.
      power ^= power << 1;
      power ^= power > 255 ? POLYNOMIAL : 0;
    }
  }

  private Shamir() {}

  /** How many of so many shares are needed: more than half. */
  public static int threshold(int shares) {
    return shares / 2 + 1;
  }

  /** Cuts a secret. */
  public static byte[][] split(byte[] secret, int shares, int threshold, Secrets secrets) {
    if (threshold < 1 || threshold > shares || shares > MOST) {
      throw new IllegalArgumentException(
          "threshold must be from 1 to the shares, and these at most %d: threshold=%d, shares=%d"
              .formatted(MOST, threshold, shares));
    }
    byte[][] coefficients = new byte[threshold][];
    coefficients[0] = secret;
    for (int i = 1; i < threshold; i++) {
      coefficients[i] = secrets.next(secret.length);
    }
    byte[][] result = new byte[shares][secret.length];
    for (int share = 0; share < shares; share++) {
      for (int at = 0; at < secret.length; at++) {
        int value = 0;
        for (int i = threshold - 1; i >= 0; i--) {
          value = times(value, share + 1) ^ (coefficients[i][at] & 0xff);
        }
        result[share][at] = (byte) value;
      }
    }
    return result;
  }

  /**
   * The secret of which these are shares, if they are enough.
   *
   * @param places the numbers of the shares, from 0, all different
   */
  public static byte[] join(int[] places, byte[][] shares) {
    byte[] secret = new byte[shares[0].length];
    for (int i = 0; i < places.length; i++) {
      int factor = 1;
      for (int j = 0; j < places.length; j++) {
        if (j != i) {
          int other = places[j] + 1;
          factor = times(factor, divided(other, other ^ (places[i] + 1)));
        }
      }
      for (int at = 0; at < secret.length; at++) {
        secret[at] ^= (byte) times(factor, shares[i][at] & 0xff);
      }
    }
    return secret;
  }

  private static int times(int a, int b) {
    return a == 0 || b == 0 ? 0 : EXP[LOG[a] + LOG[b]];
  }

  private static int divided(int a, int b) {
    if (b == 0) {
      throw new IllegalArgumentException("two shares have the same place");
    }
    return a == 0 ? 0 : EXP[LOG[a] + 255 - LOG[b]];
  }
}
