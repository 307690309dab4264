package dev.grapevine.engine;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class LinearTest {

  @ParameterizedTest
  @CsvSource({"1,1,2,1", "7,5,3,4", "40,33,10,17", "300,20,62,8"})
  void gradientIsTheSlopeOfTheLoss(int inputs, int hidden, int classes, int batch) {
    Model model =
        Model.image("mlp", 1, 1, inputs)
            .flatten()
            .linear(hidden)
            .relu()
            .linear(classes)
            .crossEntropy();
    FiniteDifferences.check(model, FiniteDifferences.randomBatch(model, batch, classes, inputs), 1);
  }

  @Test
  void logisticRegressionHasTheRightSlope() {
    Model model = Model.image("logistic", 3, 2, 2).flatten().linear(3).crossEntropy();
    FiniteDifferences.check(model, FiniteDifferences.randomBatch(model, 5, 3, 3), 2);
  }
}
