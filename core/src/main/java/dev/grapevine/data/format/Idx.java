package dev.grapevine.data.format;

import dev.grapevine.UserException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * The IDX format of MNIST and its relatives: a big-endian magic number {@code 0x00000800 +
 * dimensions} for unsigned bytes, one 32-bit extent per dimension, then the bytes.
 *
 * @param extents the array's dimensions, the number of samples first
 * @param content the whole file, header included
 */
public record Idx(int[] extents, byte[] content) {

  private static final int UNSIGNED_BYTES = 0x08;

  /** Reads an array with the given number of dimensions; {@code name} is for messages. */
  public static Idx read(InputStream stream, String name, int dimensions) throws IOException {
    return parse(stream.readAllBytes(), name, dimensions);
  }

  static Idx parse(byte[] content, String name, int dimensions) {
    int header = 4 + 4 * dimensions;
    if (content.length < header) {
      throw damaged(
          name,
          content.length,
          "the file ends within its header: bytes=%d, header=%d".formatted(content.length, header));
    }
    int magic = number(content, 0);
    int expected = UNSIGNED_BYTES << 8 | dimensions;
    if (magic != expected) {
      throw damaged(
          name,
          0,
          "not an IDX file of bytes in %d dimensions: magic=0x%08x, expected=0x%08x"
              .formatted(dimensions, magic, expected));
    }
    int[] extents = new int[dimensions];
    long size = 1;
    for (int i = 0; i < dimensions; i++) {
      extents[i] = number(content, 4 + 4 * i);
      if (extents[i] < 1) {
        throw damaged(name, 4 + 4 * i, "an extent must be positive: extent=" + extents[i]);
      }
      // Saturates instead of overflowing: each factor is below 2^31.
      size = Math.min(size * extents[i], Integer.MAX_VALUE);
    }
    if (content.length - header != size) {
      throw damaged(
          name,
          Math.min(content.length, header + size),
          "the length does not fit the header %s: bytes=%d, expected=%d"
              .formatted(Arrays.toString(extents), content.length - header, size));
    }
    return new Idx(extents, content);
  }

  /** Where sample {@code i} starts in {@link #content}. */
  public int offset(int i) {
    int header = 4 + 4 * extents.length;
    return header + i * ((content.length - header) / extents[0]);
  }

  private static int number(byte[] content, int at) {
    return (content[at] & 0xff) << 24
        | (content[at + 1] & 0xff) << 16
        | (content[at + 2] & 0xff) << 8
        | content[at + 3] & 0xff;
  }

  private static UserException damaged(String name, long position, String what) {
    return new UserException(
        "%s: damaged at byte %d: %s; fetch or copy the file again".formatted(name, position, what));
  }
}
