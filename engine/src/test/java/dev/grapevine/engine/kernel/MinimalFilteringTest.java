package dev.grapevine.engine.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MinimalFilteringTest {

  /** Σ_p A[p][i] · G[p][j] · Bᵀ[p][d] is 1 where output i meets input d through tap j, else 0. */
  @ParameterizedTest
  @EnumSource(MinimalFiltering.class)
  void theMatricesConvolve(MinimalFiltering filtering) {
    double[][] a = filtering.gradientMatrix();
    double[][] b = filtering.inputMatrix();
    double[][] g = filtering.weightMatrix();
    for (int i = 0; i < filtering.outputs(); i++) {
      for (int j = 0; j < filtering.kernel(); j++) {
        for (int d = 0; d < filtering.tile(); d++) {
          double sum = 0;
          for (int p = 0; p < filtering.tile(); p++) {
            sum += a[p][i] * g[p][j] * b[p][d];
          }
          assertThat(sum).as("%d %d %d", i, j, d).isCloseTo(d == i + j ? 1 : 0, within(1e-12));
        }
      }
    }
  }

  @Test
  void largerTilesAmplifyMore() {
    assertThat(MinimalFiltering.F2_3.amplification()).isCloseTo(1.29, within(0.01));
    assertThat(MinimalFiltering.F4_3.amplification()).isCloseTo(2.67, within(0.01));
    assertThat(MinimalFiltering.F4_5.amplification()).isCloseTo(5.45, within(0.01));
  }
}
