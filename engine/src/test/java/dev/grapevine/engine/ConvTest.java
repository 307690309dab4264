package dev.grapevine.engine;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ConvTest {

  @ParameterizedTest
  @CsvSource({
    "1,5,5,4,3,1,1",
    "3,7,6,5,3,1,1",
    "3,8,8,17,5,1,2",
    "20,6,6,18,3,1,1",
    "4,9,7,6,3,2,1",
    "5,8,8,33,1,2,0",
    "2,6,9,3,2,2,0",
    "3,11,11,4,4,3,2",
    "40,5,5,16,1,1,0"
  })
  void gradientIsTheSlopeOfTheLoss(
      int channels, int height, int width, int outputs, int kernel, int stride, int padding) {
    Model model =
        Model.image("conv", channels, height, width)
            .convSame(channels, 3)
            .tanh()
            .conv(outputs, kernel, stride, padding)
            .sigmoid()
            .flatten()
            .linear(3)
            .crossEntropy();
    FiniteDifferences.check(model, FiniteDifferences.randomBatch(model, 4, 3, 5), 2);
  }

  @ParameterizedTest
  @CsvSource({"4,2,6,6", "6,3,7,5", "16,2,8,8", "20,4,9,9"})
  void normalisationAndPoolingHaveTheRightSlope(int channels, int groups, int height, int width) {
    Model group =
        Model.image("group", 2, height, width)
            .convSame(channels, 3)
            .groupNorm(groups)
            .relu()
            .maxPool(2)
            .convSame(channels, 3)
            .groupNorm(groups)
            .avgPool(2)
            .flatten()
            .linear(3)
            .crossEntropy();
    FiniteDifferences.check(group, FiniteDifferences.randomBatch(group, 3, 3, 5), 2);
    Model batch =
        Model.image("batch", 2, height, width)
            .convSame(channels, 3)
            .batchNorm()
            .relu()
            .maxPool(3, 2, 1)
            .convSame(channels, 3)
            .batchNorm()
            .globalAvgPool()
            .linear(3)
            .crossEntropy();
    FiniteDifferences.check(batch, FiniteDifferences.randomBatch(batch, 5, 3, 6), 2);
  }

  @ParameterizedTest
  @CsvSource({"1", "2"})
  void residualBlocksHaveTheRightSlope(int stride) {
    Model model =
        Model.image("residual", 3, 6, 6)
            .convSame(8, 3)
            .groupNorm(2)
            .relu()
            .residual("block", b -> b.convSame(8, 3).groupNorm(2).relu().convSame(8, 3))
            .residual(
                "down",
                b -> b.conv(12, 3, stride, 1).groupNorm(2).relu().convSame(12, 3),
                b -> b.conv(12, 1, stride, 0).groupNorm(3))
            .globalAvgPool()
            .linear(3)
            .crossEntropy();
    FiniteDifferences.check(model, FiniteDifferences.randomBatch(model, 3, 3, 6), 2);
  }
}
