package dev.grapevine.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class DecimalsTest {

  @Test
  void givesTheSameBitsAsTheLibraryForRandomDigits() {
    SplittableRandom random = new SplittableRandom(5);
    for (int i = 0; i < 300_000; i++) {
      long digits = random.nextLong() >>> random.nextInt(64);
      int power = random.nextInt(Decimals.LEAST_POWER, Decimals.GREATEST_POWER + 1);
      assertSame(digits, power);
    }
  }

  @Test
  void readsBackWhatJavaPrints() {
    SplittableRandom random = new SplittableRandom(6);
    for (int i = 0; i < 300_000; i++) {
      double value = random.nextDouble(0.1, 1) * Math.pow(10, random.nextInt(-8, 18));
      BigDecimal text = new BigDecimal(Double.toString(value));
      double back = Decimals.nearest(text.unscaledValue().longValueExact(), -text.scale());
      assertThat(back).as(text.toString()).isEqualTo(value);
    }
  }

  /** Halfway between two doubles, and a digit beside it, is where rounding goes wrong first. */
  @Test
  void roundsTiesToEven() {
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 100_000; i++) {
      long odd = (1L << 53) + 1 + 2 * random.nextLong(1L << 52);
      for (int beside = -1; beside <= 1; beside++) {
        assertSame(odd + beside, 0);
        assertSame(odd * 5 + beside, -1);
        assertSame(odd * 25 + beside, -2);
      }
    }
  }

  @Test
  void readsTheSmallestAndLargestDigits() {
    for (int power = Decimals.LEAST_POWER; power <= Decimals.GREATEST_POWER; power++) {
      for (long digits : new long[] {0, 1, 9, 10, Long.MAX_VALUE, Long.MIN_VALUE, -1}) {
        assertSame(digits, power);
      }
    }
  }

  private static void assertSame(long digits, int power) {
    double expected = Double.parseDouble(Long.toUnsignedString(digits) + "E" + power);
    double actual = Decimals.nearest(digits, power);
    if (Double.doubleToRawLongBits(actual) != Double.doubleToRawLongBits(expected)) {
      assertThat(actual).as("%dE%d", digits, power).isEqualTo(expected);
    }
  }
}
