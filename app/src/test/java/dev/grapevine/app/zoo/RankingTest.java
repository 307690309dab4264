package dev.grapevine.app.zoo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.grapevine.results.Axis;
import dev.grapevine.results.Curve;
import dev.grapevine.results.Spread;
import java.util.List;
import org.junit.jupiter.api.Test;

class RankingTest {

  private static Curve.Point point(double bytes, double accuracy) {
    return new Curve.Point(0, bytes, Spread.of(new double[] {accuracy}));
  }

  private static final Curve CURVE =
      new Curve(
          "run",
          "test_accuracy",
          Axis.BYTES,
          List.of(point(100, 0.2), point(200, 0.6), point(300, 0.7)));

  @Test
  void betweenTwoEvaluationsAccuracyIsOnTheLine() {
    Ranking.Reached reached = Ranking.reached(CURVE, 150);
    assertThat(reached.accuracy()).isCloseTo(0.4, within(1e-9));
    assertThat(reached.hasLeft()).isFalse();
    assertThat(Ranking.reached(CURVE, 200).accuracy()).isCloseTo(0.6, within(1e-9));
  }

  @Test
  void whoHasNotUsedTheBudgetUpHasItsLastAccuracy() {
    assertThat(Ranking.reached(CURVE, 1000)).isEqualTo(new Ranking.Reached(0.7, true));
    assertThat(Ranking.reached(CURVE, 300)).isEqualTo(new Ranking.Reached(0.7, false));
  }

  @Test
  void beforeTheFirstEvaluationNothingIsKnown() {
    assertThat(Ranking.reached(CURVE, 99).accuracy()).isNaN();
  }
}
