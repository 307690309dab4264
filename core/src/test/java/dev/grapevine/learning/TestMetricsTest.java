package dev.grapevine.learning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** The expected figures are worked out by hand. */
final class TestMetricsTest {

  /** Four samples of three classes: right, right, taken for class 2, taken for class 0. */
  private static final Predictions SOME =
      new Predictions(
          new float[] {
            3, 0, 0,
            0, 2, 1,
            0, 1, 2,
            4, 0, 1
          },
          new int[] {0, 1, 1, 2},
          3);

  @Test
  void confusionCountsWhoWasTakenForWhom() {
    assertThat(SOME.confusion()).isDeepEqualTo(new int[][] {{1, 0, 0}, {0, 1, 1}, {1, 0, 0}});
    assertThat(new TestMetrics.Confusion().of(SOME))
        .containsEntry("confusion_1_2", 1.0)
        .doesNotContainKey("confusion_2_2");
  }

  @Test
  void accuracyOfEachClass() {
    assertThat(new TestMetrics.PerClass().of(SOME))
        .containsEntry("class_0_accuracy", 1.0)
        .containsEntry("class_1_accuracy", 0.5)
        .containsEntry("class_2_accuracy", 0.0);
  }

  @Test
  void f1IsTheMeanOverClasses() {
    // Classes: 2·1/(1+2), 2·1/(2+1), 0.
    assertThat(new TestMetrics.F1().of(SOME).get("test_f1")).isCloseTo(4.0 / 9, within(1e-12));
  }

  @Test
  void topKCountsTheFirstK() {
    assertThat(new TestMetrics.TopK(new TestMetrics.TopK.Settings(1)).of(SOME))
        .containsEntry("test_top1", 0.5);
    assertThat(new TestMetrics.TopK(new TestMetrics.TopK.Settings(2)).of(SOME))
        .containsEntry("test_top2", 1.0);
  }

  @Test
  void areaIsOneHalfOfEqualScoresAndOneOfAPerfectOrder() {
    int[] labels = {0, 1, 0, 1};
    assertThat(new TestMetrics.Auc().of(new Predictions(new float[8], labels, 2)))
        .containsEntry("test_auc", 0.5);
    float[] perfect = {2, 0, 0, 2, 3, 0, 0, 3};
    assertThat(new TestMetrics.Auc().of(new Predictions(perfect, labels, 2)))
        .containsEntry("test_auc", 1.0);
    // One class only: there is nothing to tell apart.
    assertThat(new TestMetrics.Auc().of(new Predictions(new float[2], new int[] {0}, 2))).isEmpty();
  }
}
