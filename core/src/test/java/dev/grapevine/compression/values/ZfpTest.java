package dev.grapevine.compression.values;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.grapevine.message.PayloadWriter;
import dev.grapevine.scratch.Scratch;
import dev.grapevine.settings.SettingException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** The fixture is written by src/test/python/zfp_fixtures.py with libzfp 1.0.0. */
class ZfpTest {

  private static final Scratch SCRATCH = new Scratch();

  @Test
  void streamsAreThoseOfLibzfp() throws IOException {
    for (LibraryStreams example : LibraryStreams.read("zfp.txt")) {
      PayloadWriter out = new PayloadWriter(16);
      zfp(example.setting()).encode(example.values(), example.values().length, out, SCRATCH);
      ByteBuffer written = out.finish().buffer();
      assertThat(written.get()).isEqualTo((byte) Form.CODED);
      byte[] stream = new byte[written.remaining()];
      written.get(stream);
      assertThat(stream)
          .as("tolerance=%s, n=%d", example.setting(), example.values().length)
          .isEqualTo(example.stream());
    }
  }

  @Test
  void libzfpsStreamsAreReadAsLibzfpReadsThem() throws IOException {
    for (LibraryStreams example : LibraryStreams.read("zfp.txt")) {
      ByteBuffer in = ByteBuffer.allocate(1 + example.stream().length + 1);
      in.put((byte) Form.CODED).put(example.stream()).flip().limit(in.capacity());
      float[] values = new float[example.values().length];
      zfp(example.setting()).decode(in, values, values.length, SCRATCH);
      assertThat(in.remaining()).isEqualTo(1);
      assertThat(values)
          .as("tolerance=%s, n=%d", example.setting(), values.length)
          .isEqualTo(example.decoded());
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
    zfp(1e-3).encode(values, values.length, out, SCRATCH);
    float[] back = new float[5];
    zfp(1e-3).decode(out.finish().buffer(), back, 5, SCRATCH);
    assertThat(back).isEqualTo(values);
  }

  private static Zfp zfp(double tolerance) {
    return new Zfp(new Zfp.Settings(tolerance));
  }
}
