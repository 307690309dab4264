package dev.grapevine.engine.layer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.engine.Formula;
import dev.grapevine.engine.kernel.Kernels;
import dev.grapevine.engine.kernel.MinimalFiltering;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FilteredPassesTest {

  /**
   * Both ways of passing weights add up the same products in the same order, whatever the number of
   * tiles: those of less than a block, of a whole one, and of one that ends within a product of six
   * or eight tiles.
   */
  @ParameterizedTest
  @CsvSource({
    "F4_3, 12",
    "F4_3, 96",
    "F4_3, 100",
    "F4_3, 108",
    "F4_3, 130",
    "F2_3, 70",
    "F2_3, 252"
  })
  void wideAndOtherPassesAgreeToTheBit(MinimalFiltering filtering, int tiles) {
    int width = tiles * filtering.outputs();
    Conv2d conv = new Conv2d(new Shape.Image(256, 2, width), 160, 3, 1, 1, true);
    Result wide = result(new FilteredConv(conv, filtering, true));
    Result other = result(new FilteredConv(conv, filtering, false));
    assertThat(wide.output).isEqualTo(other.output);
    assertThat(wide.inputGradient).isEqualTo(other.inputGradient);
    assertThat(wide.gradient).isEqualTo(other.gradient);
  }

  private record Result(float[] output, float[] inputGradient, float[] gradient) {}

  private static Result result(Layer layer) {
    LayerRun run = new LayerRun(layer, 1, 0, true, Kernels.best());
    float[] output = run.train(Formula.signed(1, 0, layer.input().size()), 1, 1);
    float[] inputGradient = run.backward(Formula.signed(2, 0, layer.output().size()), 1, 1);
    return new Result(output, inputGradient, run.gradient);
  }
}
