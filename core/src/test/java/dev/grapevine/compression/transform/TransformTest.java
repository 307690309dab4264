package dev.grapevine.compression.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.grapevine.compression.Transform;
import dev.grapevine.scratch.Scratch;
import dev.grapevine.settings.SettingException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Fixtures are written by src/test/python/wavelet_fixtures.py. */
class TransformTest {

  private static final Scratch SCRATCH = new Scratch();

  @Test
  void coefficientsAreThoseOfPyWavelets() throws IOException {
    for (String[] parts : lines("wavedec.txt")) {
      String label = String.join(" ", List.of(parts).subList(0, 3));
      Wavelet wavelet = wavelet(parts[0], Integer.parseInt(parts[1]));
      double[] x = signal(Integer.parseInt(parts[2]));
      double[] expected = numbers(parts, 3);
      assertThat(wavelet.size(x.length)).as(label).isEqualTo(expected.length);

      double[] doubles = new double[expected.length];
      wavelet.forward(x, doubles);
      float[] floats = new float[expected.length];
      wavelet.forward(toFloats(x), floats, SCRATCH);
      double norm = norm(expected);
      assertThat(furthest(doubles, expected)).as(label).isLessThanOrEqualTo(1e-12 * norm);
      assertThat(furthest(toDoubles(floats), expected)).as(label).isLessThanOrEqualTo(1e-5 * norm);
    }
  }

  @Test
  void longVectorsAgreeWithPyWavelets() throws IOException {
    for (String[] parts : lines("wavedec-long.txt")) {
      String label = String.join(" ", List.of(parts).subList(0, 3));
      Wavelet wavelet = wavelet(parts[0], Integer.parseInt(parts[1]));
      double[] x = signal(Integer.parseInt(parts[2]));
      int size = Integer.parseInt(parts[3]);
      assertThat(wavelet.size(x.length)).as(label).isEqualTo(size);
      double[] expected = numbers(parts, 4);

      double[] doubles = new double[size];
      wavelet.forward(x, doubles);
      float[] floats = new float[size];
      wavelet.forward(toFloats(x), floats, SCRATCH);
      double norm = norm(doubles);
      double total = 0;
      double worst = 0;
      for (int k = 0; k < size; k++) {
        total += doubles[k] * (k % 17 - 8);
        worst = Math.max(worst, Math.abs(floats[k] - doubles[k]));
      }
      double largest = Arrays.stream(doubles).map(Math::abs).max().orElseThrow();
      assertThat(worst).as(label).isLessThan(1e-5 * largest);
      for (int s = 0; s < 8; s++) {
        int k = (int) ((long) s * (size - 1) / 7);
        assertThat(doubles[k])
            .as(label)
            .isCloseTo(expected[s], within(1e-12 * Math.max(1, Math.abs(expected[s]))));
      }
      assertThat(total).as(label).isCloseTo(expected[8], within(1e-11 * norm));
    }
  }

  @ParameterizedTest
  @MethodSource("dev.grapevine.compression.transform.WaveletFilters#names")
  void theInverseGivesTheVectorBack(String name) {
    Wavelet wavelet = Wavelet.maximal(name);
    for (int n : new int[] {0, 1, 2, 3, 4, 5, 31, 32, 100, 101, 1023, 4096, 5001}) {
      double[] x = signal(n);
      double[] coefficients = new double[wavelet.size(n)];
      double[] back = new double[n];
      wavelet.forward(x, coefficients);
      wavelet.inverse(coefficients, back);
      // PyWavelets' sym3 filters are themselves only good to 1e-11.
      assertThat(furthest(back, x)).as("n=%d", n).isLessThan(1e-10);

      float[] floats = toFloats(x);
      float[] floatCoefficients = new float[wavelet.size(n)];
      float[] floatsBack = new float[n];
      wavelet.forward(floats, floatCoefficients, SCRATCH);
      float[] untouched = floatCoefficients.clone();
      wavelet.inverse(floatCoefficients, floatsBack, SCRATCH);
      assertThat(furthest(toDoubles(floatsBack), toDoubles(floats))).as("n=%d", n).isLessThan(2e-5);
      assertThat(Arrays.equals(floatCoefficients, untouched)).isTrue();
    }
  }

  @Test
  void aLevelThatIsTooDeepIsRefusedWithTheRange() {
    assertThat(Wavelet.maximal("sym2").maximalLevel(89_834)).isEqualTo(14);
    assertThatThrownBy(() -> wavelet("sym2", 15).size(89_834))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining("level=15")
        .hasMessageContaining("1 to 14");
    assertThatThrownBy(() -> wavelet("db10", 1).size(20)).hasMessageContaining("allow none");
    assertThatThrownBy(() -> new Wavelet.Settings("sym2", Optional.of(0)))
        .hasMessageContaining("level=0");
    assertThatThrownBy(() -> new Wavelet.Settings("sin7", Optional.empty()))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining("wavelet=sin7")
        .hasMessageContaining("bior2.2");
  }

  @Test
  void frequenciesAreThoseOfNumPy() throws IOException {
    Transform fourier = new Fourier();
    for (String[] parts : lines("rfft.txt")) {
      int n = Integer.parseInt(parts[0]);
      double[] expected = numbers(parts, 1);
      float[] x = toFloats(signal(n));
      float[] coefficients = new float[fourier.size(n)];
      fourier.forward(x, coefficients, SCRATCH);
      float tolerance = (float) (1e-5 * norm(expected));
      assertThat(coefficients).as("n=%d", n).containsExactly(toFloats(expected), within(tolerance));
    }
  }

  @Test
  void frequenciesOfLongVectorsAreThoseOfNumPy() throws IOException {
    Transform fourier = new Fourier();
    for (String[] parts : lines("rfft-long.txt")) {
      int n = Integer.parseInt(parts[0]);
      double norm = Double.parseDouble(parts[1]);
      double[] expected = numbers(parts, 2);
      float[] coefficients = new float[fourier.size(n)];
      fourier.forward(toFloats(signal(n)), coefficients, SCRATCH);
      for (int i = 0; i < expected.length; i++) {
        int at = (int) ((long) i * (coefficients.length - 1) / (expected.length - 1));
        assertThat((double) coefficients[at])
            .as("n=%d, coefficient %d", n, at)
            .isCloseTo(expected[i], within(1e-6 * norm));
      }
    }
  }

  @Test
  void theFourierInverseGivesTheVectorBack() {
    Transform fourier = new Fourier();
    for (int n : new int[] {0, 1, 2, 3, 4, 5, 6, 7, 64, 211, 422, 1009, 5000, 89_834}) {
      float[] x = toFloats(signal(n));
      float[] coefficients = new float[fourier.size(n)];
      float[] back = new float[n];
      fourier.forward(x, coefficients, SCRATCH);
      fourier.inverse(coefficients, back, SCRATCH);
      assertThat(furthest(toDoubles(back), toDoubles(x))).as("n=%d", n).isLessThan(1e-5);
    }
  }

  private static Wavelet wavelet(String name, int level) {
    return new Wavelet(
        new Wavelet.Settings(name, level == 0 ? Optional.empty() : Optional.of(level)));
  }

  private static double[] signal(int n) {
    double[] x = new double[n];
    for (int i = 0; i < n; i++) {
      x[i] = (7919L * i + 13) % 1009 / 1009.0 - 0.5;
    }
    return x;
  }

  private static float[] toFloats(double[] values) {
    float[] floats = new float[values.length];
    for (int i = 0; i < values.length; i++) {
      floats[i] = (float) values[i];
    }
    return floats;
  }

  private static double[] toDoubles(float[] values) {
    double[] doubles = new double[values.length];
    for (int i = 0; i < values.length; i++) {
      doubles[i] = values[i];
    }
    return doubles;
  }

  private static double furthest(double[] actual, double[] expected) {
    assertThat(actual).hasSameSizeAs(expected);
    double worst = 0;
    for (int i = 0; i < expected.length; i++) {
      worst = Math.max(worst, Math.abs(actual[i] - expected[i]));
    }
    return worst;
  }

  private static double norm(double[] values) {
    return Math.sqrt(Arrays.stream(values).map(v -> v * v).sum());
  }

  private static double[] numbers(String[] parts, int from) {
    return Arrays.stream(parts, from, parts.length).mapToDouble(Double::parseDouble).toArray();
  }

  private static List<String[]> lines(String name) throws IOException {
    try (var reader =
        new BufferedReader(
            new InputStreamReader(
                Objects.requireNonNull(TransformTest.class.getResourceAsStream(name)),
                StandardCharsets.UTF_8))) {
      return reader.lines().map(line -> line.split(" ")).toList();
    }
  }
}
