package dev.grapevine.engine.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Vectors and plain loops give the same bits, whatever is left over behind the last vector. */
final class SignalKernelsTest {

  private final SignalKernels scalar = new ScalarSignalKernels();
  private final SignalKernels vector = new VectorSignalKernels();

  private static float[] random(int length, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    float[] values = new float[length];
    for (int i = 0; i < length; i++) {
      values[i] = (float) random.nextGaussian();
    }
    return values;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7, 8, 9, 31, 64, 100})
  void partingAndInterleavingUndoEachOther(int count) {
    float[] x = random(2 * count + 3, count);
    for (SignalKernels kernels : new SignalKernels[] {scalar, vector}) {
      float[] even = new float[count];
      float[] odd = new float[count];
      kernels.part(x, 3, even, odd, count);
      for (int i = 0; i < count; i++) {
        assertThat(even[i]).isEqualTo(x[3 + 2 * i]);
        assertThat(odd[i]).isEqualTo(x[4 + 2 * i]);
      }
      float[] joined = new float[2 * count + 3];
      System.arraycopy(x, 0, joined, 0, 3);
      kernels.interleave(even, odd, count, joined, 3);
      assertThat(joined).isEqualTo(x);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 4, 6, 20})
  void filtersAgreeToTheBit(int taps) {
    float[] firstTaps = random(taps, 1);
    float[] secondTaps = random(taps, 2);
    for (int count : new int[] {0, 1, 8, 13, 40}) {
      float[] x = random(count + taps + 2, 3);
      float[] y = random(count + taps + 2, 4);
      float[][] outputs = new float[4][count + 5];
      Slice xs = new Slice(x, 2);
      Slice ys = new Slice(y, 1);
      for (int i = 0; i < 4; i += 2) {
        (i == 0 ? scalar : vector)
            .filter(
                xs,
                ys,
                count,
                firstTaps,
                new Slice(outputs[i], 5),
                secondTaps,
                new Slice(outputs[i + 1], 4));
      }
      assertThat(outputs[2]).isEqualTo(outputs[0]);
      assertThat(outputs[3]).isEqualTo(outputs[1]);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 15, 16, 17, 200})
  void countsWhatIsBeyondALimit(int count) {
    float[] x = random(count + 4, count);
    int expected = 0;
    for (int i = 3; i < count + 3; i++) {
      x[i] = i % 11 == 3 ? Float.NaN : i % 13 == 5 ? Float.NEGATIVE_INFINITY : x[i];
      x[i] = i % 7 == 2 ? -0.5f : x[i];
      expected += Math.abs(x[i]) <= 0.5f ? 0 : 1;
    }
    x[2] = Float.NaN;
    x[count + 3] = Float.NaN;
    assertThat(scalar.countBeyond(0.5f, x, 3, count)).isEqualTo(expected);
    assertThat(vector.countBeyond(0.5f, x, 3, count)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(floats = {Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY})
  void findsWhatIsNotFiniteWhereverItIs(float odd) {
    for (SignalKernels kernels : new SignalKernels[] {scalar, vector}) {
      for (int at = 0; at < 40; at++) {
        float[] x = random(40, at);
        x[39 - at] = -Float.MAX_VALUE;
        assertThat(kernels.areFinite(x, 3, 34)).isTrue();
        x[at] = odd;
        assertThat(kernels.areFinite(x, 3, 34)).isEqualTo(at < 3 || at >= 37);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 63, 64, 65, 200})
  void marksWhatIsAtLeastTheBar(int count) {
    float[] scores = random(count, count);
    for (int i = 0; i < count; i++) {
      scores[i] = i % 9 == 0 ? Float.NaN : Math.abs(scores[i]);
    }
    for (float bar : new float[] {0, 0.5f, count > 1 ? scores[1] : 1}) {
      long[] expected = new long[(count + 63) / 64];
      for (int i = 0; i < count; i++) {
        if (!(scores[i] < bar)) {
          expected[i / 64] |= 1L << i;
        }
      }
      for (SignalKernels kernels : new SignalKernels[] {scalar, vector}) {
        long[] marks = new long[(count + 63) / 64];
        Arrays.fill(marks, -1);
        kernels.markFrom(bar, scores, count, marks);
        assertThat(marks).isEqualTo(expected);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 15, 16, 17, 200})
  void addsWhatCameAsFloatsAndAsBytesToTheBit(int count) {
    float[] x = random(count, 1);
    byte[] bytes = new byte[3 + count * Float.BYTES];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).position(3).asFloatBuffer().put(x);
    float[] expected = random(count + 4, 2);
    for (int i = 0; i < count; i++) {
      expected[2 + i] += 0.3f * x[i];
    }
    for (SignalKernels kernels : new SignalKernels[] {scalar, vector}) {
      float[] ofFloats = random(count + 4, 2);
      kernels.addScaled(0.3f, x, ofFloats, 2, count);
      assertThat(ofFloats).isEqualTo(expected);
      float[] ofBytes = random(count + 4, 2);
      kernels.addScaled(0.3f, bytes, 3, ofBytes, 2, count);
      assertThat(ofBytes).isEqualTo(expected);
    }
  }
}
