package dev.grapevine.compression.values;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.grapevine.message.PayloadWriter;
import dev.grapevine.settings.SettingException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The fixture is written by src/test/python/zfp_fixtures.py with libzfp 1.0.0. */
class ZfpTest {

  record Case(double tolerance, float[] values, byte[] stream, float[] decoded) {}

  @Test
  void streamsAreThoseOfLibzfp() throws IOException {
    for (Case example : cases()) {
      PayloadWriter out = new PayloadWriter(16);
      zfp(example.tolerance).encode(example.values, example.values.length, out);
      ByteBuffer written = out.finish().buffer();
      assertThat(written.get()).isEqualTo((byte) Form.CODED);
      byte[] stream = new byte[written.remaining()];
      written.get(stream);
      assertThat(stream)
          .as("tolerance=%s, n=%d", example.tolerance, example.values.length)
          .isEqualTo(example.stream);
    }
  }

  @Test
  void libzfpsStreamsAreReadAsLibzfpReadsThem() throws IOException {
    for (Case example : cases()) {
      ByteBuffer in = ByteBuffer.allocate(1 + example.stream.length + 1);
      in.put((byte) Form.CODED).put(example.stream).flip().limit(in.capacity());
      float[] values = new float[example.values.length];
      zfp(example.tolerance).decode(in, values, values.length);
      assertThat(in.remaining()).isEqualTo(1);
      assertThat(values)
          .as("tolerance=%s, n=%d", example.tolerance, values.length)
          .isEqualTo(example.decoded);
    }
  }

  @Test
  void aToleranceOutOfRangeIsRefused() {
    for (double bad : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY, 1e-30}) {
      assertThatThrownBy(() -> new Zfp.Settings(bad))
          .isInstanceOf(SettingException.class)
          .hasMessageContaining("1e-24 to 1e24");
    }
  }

  @Test
  void aRunWithANanTravelsRaw() {
    float[] values = {1, Float.NaN, 3, Float.NEGATIVE_INFINITY, 5e-9f};
    PayloadWriter out = new PayloadWriter(16);
    zfp(1e-3).encode(values, values.length, out);
    float[] back = new float[5];
    zfp(1e-3).decode(out.finish().buffer(), back, 5);
    assertThat(back).isEqualTo(values);
  }

  static List<Case> cases() throws IOException {
    try (var reader =
        new BufferedReader(
            new InputStreamReader(
                Objects.requireNonNull(ZfpTest.class.getResourceAsStream("zfp.txt")),
                StandardCharsets.UTF_8))) {
      return reader
          .lines()
          .map(line -> line.split(" "))
          .map(part ->
              new Case(
                  Double.parseDouble(part[0]),
                  floats(part[2]),
                  HexFormat.of().parseHex(part[3]),
                  floats(part[4])))
          .toList();
    }
  }

  private static float[] floats(String hex) {
    ByteBuffer bytes = ByteBuffer.wrap(HexFormat.of().parseHex(hex));
    float[] values = new float[bytes.remaining() / Float.BYTES];
    bytes.order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().get(values);
    return values;
  }

  private static Zfp zfp(double tolerance) {
    return new Zfp(new Zfp.Settings(tolerance));
  }
}
