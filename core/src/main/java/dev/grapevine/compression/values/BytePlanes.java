package dev.grapevine.compression.values;

/**
 * Floats as four planes: all lowest bytes, then all second ones, and so on. The bytes of sign and
 * exponent come to stand side by side, where a general-purpose compressor finds them alike.
 */
final class BytePlanes {

  private BytePlanes() {}

  static void split(float[] values, int count, byte[] planes) {
    for (int i = 0; i < count; i++) {
      int bits = Float.floatToRawIntBits(values[i]);
      planes[i] = (byte) bits;
      planes[count + i] = (byte) (bits >>> 8);
      planes[2 * count + i] = (byte) (bits >>> 16);
      planes[3 * count + i] = (byte) (bits >>> 24);
    }
  }

  static void join(byte[] planes, int count, float[] values) {
    for (int i = 0; i < count; i++) {
      values[i] =
          Float.intBitsToFloat(
              planes[i] & 0xff
                  | (planes[count + i] & 0xff) << 8
                  | (planes[2 * count + i] & 0xff) << 16
                  | planes[3 * count + i] << 24);
    }
  }
}
