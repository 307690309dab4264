package dev.grapevine.compression.values;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.message.PayloadWriter;
import dev.grapevine.scratch.Scratch;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** The fixture is written by src/test/python/fpzip_fixtures.py with libfpzip 1.3.0. */
class FpzipTest {

  private static final Scratch SCRATCH = new Scratch();

  @Test
  void streamsAreThoseOfLibfpzip() throws IOException {
    for (LibraryStreams example : LibraryStreams.read("fpzip.txt")) {
      PayloadWriter out = new PayloadWriter(16);
      fpzip(example).encode(example.values(), example.values().length, out, SCRATCH);
      ByteBuffer written = out.finish().buffer();
      if (written.get() == Form.RAW) {
        assertThat(written.remaining()).isLessThan(1 + example.stream().length);
        continue;
      }
      byte[] stream = new byte[written.remaining()];
      written.get(stream);
      assertThat(stream)
          .as("precision=%s, n=%d", example.setting(), example.values().length)
          .isEqualTo(example.stream());
    }
  }

  @Test
  void libfpzipsStreamsAreReadAsLibfpzipReadsThem() throws IOException {
    for (LibraryStreams example : LibraryStreams.read("fpzip.txt")) {
      ByteBuffer in = ByteBuffer.allocate(1 + example.stream().length + 1);
      in.put((byte) Form.CODED).put(example.stream()).flip().limit(in.capacity());
      float[] values = new float[example.values().length];
      fpzip(example).decode(in, values, values.length, SCRATCH);
      assertThat(in.remaining()).isEqualTo(1);
      assertThat(values)
          .as("precision=%s, n=%d", example.setting(), values.length)
          .isEqualTo(example.decoded());
    }
  }

  private static Fpzip fpzip(LibraryStreams example) {
    return new Fpzip(new Fpzip.Settings((int) example.setting()));
  }
}
