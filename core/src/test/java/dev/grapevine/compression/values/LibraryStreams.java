package dev.grapevine.compression.values;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;

/**
 * What a native library wrote and read.
 *
 * @param setting the tolerance or precision
 */
record LibraryStreams(double setting, float[] values, byte[] stream, float[] decoded) {

  static List<LibraryStreams> read(String name) throws IOException {
    try (var reader =
        new BufferedReader(
            new InputStreamReader(
                Objects.requireNonNull(LibraryStreams.class.getResourceAsStream(name)),
                StandardCharsets.UTF_8))) {
      return reader
          .lines()
          .map(line -> line.split(" "))
          .map(part ->
              new LibraryStreams(
                  Double.parseDouble(part[0]),
                  floats(part[2]),
                  HexFormat.of().parseHex(part[3]),
                  floats(part[4])))
          .toList();
    }
  }

  static float[] floats(String hex) {
    ByteBuffer bytes = ByteBuffer.wrap(HexFormat.of().parseHex(hex));
    float[] values = new float[bytes.remaining() / Float.BYTES];
    bytes.order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().get(values);
    return values;
  }
}
