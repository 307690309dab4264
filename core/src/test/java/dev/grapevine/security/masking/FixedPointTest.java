package dev.grapevine.security.masking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.grapevine.random.SplitMix;
import dev.grapevine.settings.SettingException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FixedPointTest {

  @ParameterizedTest
  @CsvSource({"32, 64", "32, 1", "32, 1048576", "16, 8", "16, 1", "16, 1024"})
  void sumsOfExtremesDoNotWrap(int bits, int range) {
    FixedPoint numbers = new FixedPoint(bits, range);
    for (int senders : new int[] {1, 2, 3, 5, 100, 511, 512, 4094, 4095}) {
      if (senders <= numbers.mostSenders()) {
        for (float value : new float[] {range, -range, 1e30f, -1e30f}) {
          checkExtreme(numbers, senders, value, 1.0 / senders);
          checkExtreme(numbers, senders, value, 1.0 / (senders + 1));
        }
      }
    }
  }

  /** All senders at the limit, with weights that come to one, each rounded the worst way. */
  private static void checkExtreme(FixedPoint numbers, int senders, float value, double weight) {
    int[] each = new int[1];
    int sum = 0;
    long exact = 0;
    for (int sender = 0; sender < senders; sender++) {
      assertThat(numbers.examine(new float[] {value}, 1)).isEqualTo(1);
      numbers.write(new float[] {value}, 1, weight, true, sender, each);
      sum += each[0];
      exact += each[0];
    }
    assertThat(Math.abs(exact)).isLessThan(1L << (numbers.bits() - 1));
    float[] mean = new float[1];
    numbers.read(new int[] {sum}, 1, weight * senders, mean, 0);
    assertThat(mean[0])
        .isEqualTo(
            (float) (Math.signum(value) * numbers.limit()),
            within((float) (numbers.range() * (numbers.bits() == 32 ? 1e-5 : 0.1))));
  }

  /** Unequal weights, whose terms are all rounded up. */
  @Test
  void unequalWeightsDoNotWrapEither() {
    FixedPoint numbers = new FixedPoint(32, 64);
    SplitMix random = new SplitMix(1);
    int senders = numbers.mostSenders();
    double[] weights = random.doubles(senders).toArray();
    double total = Arrays.stream(weights).sum();
    long exact = 0;
    int[] each = new int[1];
    for (double weight : weights) {
      numbers.write(new float[] {64}, 1, weight / total, true, 0, each);
      exact += each[0];
    }
    assertThat(exact).isLessThan(1L << 31);
    // Even if each had been rounded up by half.
    assertThat(64 * (1 - 0x1p-20) * (1 << 25) + senders / 2.0).isLessThan(0x1p31);
  }

  @Test
  void aMixIsAsExactAsAFloat() {
    FixedPoint numbers = new FixedPoint(32, 64);
    float[] values = {0.1f, -3.25f, 63.9f, 1e-7f, 0};
    int[] written = new int[values.length];
    assertThat(numbers.examine(values, values.length)).isZero();
    numbers.write(values, values.length, 0.2, false, 0, written);
    float[] read = new float[values.length];
    numbers.read(written, values.length, 0.2, read, 0);
    for (int i = 0; i < values.length; i++) {
      assertThat(read[i]).isEqualTo(values[i], within((float) (0.5 * 0x1p-25 / 0.2 + 4e-6)));
    }
    assertThat(numbers.fraction()).isEqualTo(25);
    assertThat(new FixedPoint(16, 8).fraction()).isEqualTo(12);
  }

  @Test
  void roundingByLotKeepsTheMean() {
    FixedPoint numbers = new FixedPoint(16, 8);
    float[] values = new float[100_000];
    Arrays.fill(values, 0.3f / 4096);
    int[] written = new int[values.length];
    numbers.write(values, values.length, 1, false, 7, written);
    assertThat(Arrays.stream(written).average().orElseThrow()).isEqualTo(0.3, within(0.01));
  }

  @Test
  void whatIsNotFiniteIsTold() {
    FixedPoint numbers = new FixedPoint(32, 64);
    assertThat(numbers.examine(new float[] {1, Float.NaN, 2}, 3)).isEqualTo(-1);
    assertThat(numbers.examine(new float[] {1, Float.NEGATIVE_INFINITY, 2}, 3)).isEqualTo(-1);
    assertThat(numbers.examine(new float[] {100, -64, 63}, 3)).isEqualTo(2);
  }

  /** The quick way of rounding is that of the library, with values to clip and without. */
  @ParameterizedTest
  @ValueSource(ints = {2, 20})
  void roundsAsTheLibraryDoes(int spread) {
    FixedPoint numbers = new FixedPoint(32, 64);
    float[] values = new float[10_000];
    SplitMix random = new SplitMix(2);
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) (spread * random.nextGaussian());
    }
    // Halves go to the even side.
    values[0] = 0x1p-26f;
    values[1] = -0x1p-26f;
    values[2] = 3 * 0x1p-26f;
    boolean clips = numbers.examine(values, values.length) > 0;
    assertThat(clips).isEqualTo(spread > 2);
    for (double weight : new double[] {1, 0.3, 1.0 / 7}) {
      int[] written = new int[values.length];
      numbers.write(values, values.length, weight, clips, 0, written);
      for (int i = 0; i < values.length; i++) {
        double clipped = Math.clamp(values[i], -numbers.limit(), numbers.limit());
        assertThat(written[i]).isEqualTo((int) Math.rint(clipped * (weight * 0x1p25)));
      }
    }
  }

  @Test
  void settingsThatMakeNoSenseAreRefused() {
    assertThatThrownBy(() -> new FixedPoint(24, 64)).isInstanceOf(SettingException.class);
    assertThatThrownBy(() -> new FixedPoint(32, 48)).isInstanceOf(SettingException.class);
    assertThatThrownBy(() -> new FixedPoint(16, 2048)).isInstanceOf(SettingException.class);
  }
}
