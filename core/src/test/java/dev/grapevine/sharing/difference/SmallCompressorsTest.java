package dev.grapevine.sharing.difference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.grapevine.aggregation.Update;
import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.PayloadWriter;
import dev.grapevine.scratch.Scratch;
import dev.grapevine.settings.Registry;
import dev.grapevine.sharing.SharingContext;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SmallCompressorsTest {

  private static Compressor compressor(String kind, String settings) {
    return Registry.load()
        .choose(Compressor.FAMILY, kind, settings)
        .create(new SharingContext(0, 2, new float[1], List.of(), 1, new Random(1)));
  }

  private static byte[] compressed(Compressor compressor, float[] vector, Scratch scratch) {
    PayloadWriter out = new PayloadWriter(64);
    compressor.compress(vector, vector.length, out, scratch);
    ByteBuffer bytes = out.finish().buffer();
    byte[] copy = new byte[bytes.remaining()];
    bytes.get(copy);
    return copy;
  }

  private static float[] back(Compressor compressor, byte[] bytes, int size, Scratch scratch) {
    ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    Update.Sparse update = (Update.Sparse) compressor.decode(in, size, scratch);
    assertThat(in.remaining()).isZero();
    float[] vector = new float[size];
    for (int i = update.at(); i < update.end(); i++) {
      vector[update.indices()[i]] = update.values()[i];
    }
    return vector;
  }

  @ParameterizedTest
  @CsvSource({"threshold, threshold = 0.5", "threshold, threshold = 0.0", "one-bit, ''"})
  void whatIsLostIsNoMoreThanWhatWasThere(String kind, String settings) {
    Compressor compressor = compressor(kind, settings);
    Random random = new Random(1);
    try (Scratch scratch = new Scratch()) {
      for (int size : List.of(1, 7, 8, 1000)) {
        float[] vector = new float[size];
        for (int i = 0; i < size; i++) {
          vector[i] = (float) random.nextGaussian();
        }
        byte[] bytes = compressed(compressor, vector, scratch);
        float[] back = back(compressor, bytes, size, scratch);
        double lost = 0;
        double all = 0;
        for (int i = 0; i < size; i++) {
          lost += (vector[i] - back[i]) * (vector[i] - back[i]);
          all += vector[i] * vector[i];
        }
        assertThat(lost).isLessThanOrEqualTo(all);
        byte[] cut = Arrays.copyOf(bytes, bytes.length - 1);
        assertThatThrownBy(() -> back(compressor, cut, size, scratch))
            .isInstanceOf(MalformedPayloadException.class);
      }
    }
  }

  @Test
  void theLargeOnesAreKeptAsTheyAre() {
    try (Scratch scratch = new Scratch()) {
      Compressor compressor = compressor("threshold", "threshold = 0.5");
      float[] vector = {0.4f, -0.5f, 3, 0};
      assertThat(back(compressor, compressed(compressor, vector, scratch), 4, scratch))
          .containsExactly(0, -0.5f, 3, 0);
    }
  }

  @Test
  void signsBecomeMeans() {
    try (Scratch scratch = new Scratch()) {
      Compressor compressor = compressor("one-bit", "");
      float[] vector = {1, -4, 3, -2, 2};
      byte[] bytes = compressed(compressor, vector, scratch);
      assertThat(bytes).hasSize(9);
      assertThat(back(compressor, bytes, 5, scratch)).containsExactly(2, -3, 2, -3, 2);
    }
  }
}
