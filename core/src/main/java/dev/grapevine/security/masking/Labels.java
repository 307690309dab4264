package dev.grapevine.security.masking;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** What is hashed, signed or derived says what it is for, so that nothing serves two ends. */
final class Labels {

  private Labels() {}

  /** Some parts behind a label of their use. */
  static byte[] join(String use, byte[]... parts) {
    byte[] label = ("grapevine secure aggregation " + use).getBytes(StandardCharsets.US_ASCII);
    int length = label.length;
    for (byte[] part : parts) {
      length += part.length;
    }
    ByteBuffer joined = ByteBuffer.allocate(length).put(label);
    for (byte[] part : parts) {
      joined.put(part);
    }
    return joined.array();
  }

  /** Numbers as big-endian words. */
  static byte[] numbers(int... numbers) {
    ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES * numbers.length);
    for (int number : numbers) {
      bytes.putInt(number);
    }
    return bytes.array();
  }
}
