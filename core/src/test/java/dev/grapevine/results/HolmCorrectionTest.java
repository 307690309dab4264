package dev.grapevine.results;

import static org.assertj.core.api.Assertions.assertThat;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

final class HolmCorrectionTest {

  /** As R's p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm"). */
  @Test
  void agreesWithR() {
    assertThat(HolmCorrection.of(new double[] {0.01, 0.04, 0.03, 0.005}))
        .containsExactly(new double[] {0.03, 0.06, 0.06, 0.02}, Offset.offset(1e-12));
  }

  @Test
  void whatIsNotKnownDoesNotCount() {
    assertThat(HolmCorrection.of(new double[] {Double.NaN, 0.04}))
        .containsExactly(Double.NaN, 0.04);
    assertThat(HolmCorrection.of(new double[] {0.9, 0.8})).containsExactly(1, 1);
  }
}
