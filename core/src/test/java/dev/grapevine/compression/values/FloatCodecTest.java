package dev.grapevine.compression.values;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;
import static org.assertj.core.api.Assertions.within;

import dev.grapevine.compression.FloatCodec;
import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.PayloadWriter;
import dev.grapevine.scratch.Scratch;
import dev.grapevine.settings.SettingException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FloatCodecTest {

  private static final Scratch SCRATCH = new Scratch();

  record Named(String name, Supplier<FloatCodec> make) {

    FloatCodec create() {
      return make.get();
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static List<Named> codecs() {
    return List.of(
        new Named("raw", RawFloats::new),
        new Named("float16", Float16::new),
        new Named("bfloat16", BFloat16::new),
        new Named("affine8", () -> new Affine8(new Affine8.Settings(255))),
        new Named("affine8 by 256", () -> new Affine8(new Affine8.Settings(256))),
        new Named("stochastic 2", () -> stochastic(2)),
        new Named("stochastic 5", () -> stochastic(5)),
        new Named("stochastic 16", () -> stochastic(16)),
        new Named("zfp 0.001", () -> new Zfp(new Zfp.Settings(0.001))),
        new Named("zfp 1e-24", () -> new Zfp(new Zfp.Settings(1e-24))),
        new Named("zfp 10", () -> new Zfp(new Zfp.Settings(10))),
        new Named("fpzip 32", () -> new Fpzip(new Fpzip.Settings(32))),
        new Named("fpzip 18", () -> new Fpzip(new Fpzip.Settings(18))),
        new Named("fpzip 10", () -> new Fpzip(new Fpzip.Settings(10))),
        new Named("lz4", Lz4::new),
        new Named("zstd", () -> new Zstandard(new Zstandard.Settings(3))));
  }

  @ParameterizedTest
  @MethodSource("codecs")
  void noValueSuffersMoreThanTheBound(Named named) {
    FloatCodec codec = named.create();
    for (int seed = 0; seed < 300; seed++) {
      float[] values = values(seed);
      float[] back = roundTrip(codec, values);
      float magnitude = 0;
      for (float value : values) {
        magnitude = Float.isFinite(value) ? Math.max(magnitude, Math.abs(value)) : magnitude;
      }
      double bound = codec.errorBound(magnitude);
      for (int i = 0; i < values.length; i++) {
        if (!isWithin(bound, values[i], back[i])) {
          fail("seed=%d, i=%d, value=%s, back=%s", seed, i, values[i], back[i]);
        }
      }
    }
  }

  private static boolean isWithin(double bound, float value, float back) {
    if (bound == 0) {
      return Float.floatToRawIntBits(back) == Float.floatToRawIntBits(value);
    }
    return Float.isFinite(value)
        ? Math.abs((double) back - value) <= bound
        : Float.compare(back, value) == 0;
  }

  /** Runs of every kind: none, one, equal, ordinary, wild, subnormal, with NaN and infinities. */
  private static float[] values(int seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int n = seed < 20 ? seed % 10 : random.nextInt(200);
    double scale = Math.pow(10, random.nextInt(-6, 7));
    float[] values = new float[n];
    for (int i = 0; i < n; i++) {
      values[i] =
          switch (seed % 10) {
            case 0 -> 0;
            case 1 -> (float) scale;
            case 2, 3 -> (float) (scale * random.nextGaussian());
            case 4 -> (float) (random.nextGaussian() * Math.exp(6 * random.nextGaussian()));
            case 5 -> Float.MIN_VALUE * random.nextInt(-100_000, 100_000);
            case 6 -> wild(random.nextInt(), false);
            case 7 -> wild(random.nextInt(), true);
            case 8 -> (float) (scale * (7 + random.nextDouble()));
            default -> random.nextBoolean() ? -0.0f : Float.MAX_VALUE * (1 - random.nextInt(3));
          };
    }
    return values;
  }

  private static float wild(int bits, boolean special) {
    if (special && bits % 7 == 0) {
      return new float[] {Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY}
          [Math.floorMod(bits, 3)];
    }
    float value = Float.intBitsToFloat(bits);
    return Float.isFinite(value) ? value : 1;
  }

  @ParameterizedTest
  @MethodSource("codecs")
  void theSameRunHasTheSameBytes(Named named) {
    FloatCodec codec = named.create();
    for (int seed = 0; seed < 30; seed++) {
      assertThat(bytes(codec, values(seed))).isEqualTo(bytes(codec, values(seed)));
    }
  }

  @ParameterizedTest
  @MethodSource("codecs")
  void bytesFromAnEnemyDoNoHarm(Named named) {
    FloatCodec codec = named.create();
    SplittableRandom random = new SplittableRandom(17);
    float[] room = new float[400];
    List<float[]> runs = IntStream.range(0, 60).mapToObj(FloatCodecTest::values).toList();
    List<byte[]> good = runs.stream().map(values -> bytes(codec, values)).toList();
    for (int trial = 0; trial < 10_000; trial++) {
      int seed = random.nextInt(60);
      float[] values = runs.get(seed);
      byte[] bad = good.get(seed).clone();
      if (random.nextInt(4) == 0 && bad.length > 0) {
        bad = Arrays.copyOf(bad, random.nextInt(bad.length));
      }
      for (int flips = random.nextInt(5); flips > 0 && bad.length > 0; flips--) {
        int among = random.nextBoolean() ? bad.length : Math.min(8, bad.length);
        bad[random.nextInt(among)] = (byte) random.nextInt();
      }
      int count = random.nextInt(3) == 0 ? random.nextInt(400) : values.length;
      try {
        codec.decode(ByteBuffer.wrap(bad), room, count, SCRATCH);
      } catch (MalformedPayloadException expected) {
        assertThat(expected.getMessage()).contains("=");
      }
    }
  }

  @Test
  void decompressionBombsGetNoRoom() {
    float[] zeros = new float[1 << 20];
    for (FloatCodec codec : List.of(new Lz4(), new Zstandard(new Zstandard.Settings(3)))) {
      byte[] bomb = bytes(codec, zeros);
      assertThat(bomb.length).isLessThan(20_000);
      assertThatThrownBy(() -> codec.decode(ByteBuffer.wrap(bomb), new float[5000], 5000, SCRATCH))
          .isInstanceOf(MalformedPayloadException.class);
    }
  }

  @Test
  void shortFormsAreThoseOfPyTorch() throws IOException {
    try (var reader =
        new BufferedReader(
            new InputStreamReader(
                Objects.requireNonNull(FloatCodecTest.class.getResourceAsStream("torch.txt")),
                StandardCharsets.UTF_8))) {
      for (String line : reader.lines().toList()) {
        String[] part = line.split(" ");
        FloatCodec codec =
            codecs().stream()
                .filter(c -> c.name.equals(part[0]))
                .findFirst()
                .orElseThrow()
                .create();
        float[] expected = LibraryStreams.floats(part[2]);
        float[] back = roundTrip(codec, LibraryStreams.floats(part[1]));
        if (codec instanceof Affine8) {
          float largest = Form.magnitude(expected, expected.length);
          assertThat(back).as(part[0]).containsExactly(expected, within(1e-6f * largest));
        } else {
          assertThat(back).as(part[0]).isEqualTo(expected);
        }
      }
    }
  }

  @Test
  void stochasticRoundingIsRightOnAverage() {
    StochasticQuantizer codec = stochastic(3);
    float[] values = {-1, -0.55f, -0.1f, 0, 0.2f, 0.77f, 0.9f};
    int trials = 20_000;
    double[] sums = new double[values.length];
    for (int seed = 0; seed < trials; seed++) {
      PayloadWriter out = new PayloadWriter(16);
      codec.encode(values, values.length, 1000L * seed, out);
      float[] back = new float[values.length];
      codec.decode(out.finish().buffer(), back, values.length, SCRATCH);
      for (int i = 0; i < values.length; i++) {
        sums[i] += back[i];
      }
    }
    for (int i = 0; i < values.length; i++) {
      // Five standard deviations of a mean of so many roundings to thirds.
      assertThat(sums[i] / trials).isCloseTo(values[i], within(5 * (1.0 / 6) / Math.sqrt(trials)));
    }
  }

  @Test
  void settingsOutOfRangeAreRefused() {
    assertThatThrownBy(() -> new StochasticQuantizer.Settings(1))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining("from 2 to 16: bits=1");
    assertThatThrownBy(() -> new Fpzip.Settings(9)).hasMessageContaining("from 10 to 32");
    assertThatThrownBy(() -> new Zstandard.Settings(0)).hasMessageContaining("from 1 to 19");
  }

  private static StochasticQuantizer stochastic(int bits) {
    return new StochasticQuantizer(new StochasticQuantizer.Settings(bits));
  }

  private static float[] roundTrip(FloatCodec codec, float[] values) {
    PayloadWriter out = new PayloadWriter(16);
    out.writeByte(9);
    codec.encode(values, values.length, out, SCRATCH);
    out.writeInt(0x1234_5678);
    ByteBuffer in = out.finish().buffer();
    in.get();
    float[] back = new float[values.length];
    codec.decode(in, back, values.length, SCRATCH);
    assertThat(in.remaining()).isEqualTo(Integer.BYTES);
    assertThat(in.getInt()).isEqualTo(0x1234_5678);
    return back;
  }

  private static byte[] bytes(FloatCodec codec, float[] values) {
    PayloadWriter out = new PayloadWriter(16);
    codec.encode(values, values.length, out, SCRATCH);
    ByteBuffer in = out.finish().buffer();
    byte[] bytes = new byte[in.remaining()];
    in.get(bytes);
    return bytes;
  }
}
