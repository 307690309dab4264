package dev.grapevine.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Statistics as scipy has them; see statistics.py. */
final class StatisticsTest {

  static Stream<String> lines() throws IOException {
    try (var in =
        Objects.requireNonNull(StatisticsTest.class.getResourceAsStream("statistics.txt"))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines();
    }
  }

  private static double[] numbers(String text) {
    return Arrays.stream(text.strip().split(" ")).mapToDouble(Double::parseDouble).toArray();
  }

  @ParameterizedTest(name = "{index}")
  @MethodSource("lines")
  void agreesWithScipy(String line) {
    String[] parts = line.split(":");
    double[] expected = numbers(parts[0].substring(parts[0].indexOf(' ')));
    if (line.startsWith("sample")) {
      Spread spread = Spread.of(numbers(parts[1]));
      assertThat(spread.mean()).isCloseTo(expected[0], within(1e-13));
      assertThat(spread.deviation()).isCloseTo(expected[1], within(1e-13));
      assertThat(spread.confidence95()).isCloseTo(expected[2], withinPercentage(1e-8));
    } else {
      PairedTest test = PairedTest.of(numbers(parts[1]), numbers(parts[2]));
      assertThat(test.difference()).isCloseTo(expected[0], within(1e-13));
      assertThat(test.t()).isCloseTo(expected[1], withinPercentage(1e-8));
      assertThat(test.p()).isCloseTo(expected[2], withinPercentage(1e-7));
      assertThat(test.isSignificant()).isEqualTo(expected[2] < 0.05);
    }
  }

  @Test
  void smallSamplesSayNothing() {
    assertThat(Spread.of()).isEqualTo(Spread.EMPTY);
    assertThat(Spread.of(3).confidence95()).isNaN();
    assertThat(Spread.of(1, Double.NaN, 3).mean()).isEqualTo(2);
    assertThat(PairedTest.of(new double[] {1}, new double[] {2}).p()).isNaN();
    assertThat(PairedTest.of(new double[] {1, 2}, new double[] {1, 2}).p()).isEqualTo(1);
    assertThat(PairedTest.of(new double[] {1, 2}, new double[] {2, 3}).p()).isZero();
  }
}
