package dev.grapevine.engine.layer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.engine.Fixture;
import dev.grapevine.engine.Formula;
import dev.grapevine.engine.ParameterBlock;
import dev.grapevine.engine.kernel.Kernels;
import dev.grapevine.engine.kernel.KernelsUnderTest;
import dev.grapevine.engine.kernel.MinimalFiltering;
import dev.grapevine.engine.loss.MeanSquaredError;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every layer against PyTorch in double precision: output, loss and all gradients. */
class LayerFixtureTest {

  private static final double TOLERANCE = 1e-5;
  private static final Fixture FIXTURE = Fixture.read("layers.safetensors");
  private static final List<String> LOSSES = List.of("crossentropy", "mse", "bce");

  static Stream<Arguments> cases() {
    List<LayerCase> cases =
        FIXTURE.names().stream()
            .map(name -> name.substring(0, name.indexOf('/')))
            .distinct()
            .map(LayerCase::parse)
            .filter(layer -> !LOSSES.contains(layer.kind()))
            .toList();
    return KernelsUnderTest.all().stream()
        .flatMap(kernels -> cases.stream().map(c -> Arguments.of(kernels.name(), c.name())));
  }

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("cases")
  void agreesWithPyTorch(String kernels, String name) {
    LayerCase layerCase = LayerCase.parse(name);
    check(layerCase, layerCase.layer(), TOLERANCE, kernels);
  }

  /** Every kind of tiles, also where the rule would not choose them. */
  @ParameterizedTest(name = "{0}: {1} {2}")
  @MethodSource("filteredCases")
  void minimalFilteringAgreesWithPyTorch(String kernels, MinimalFiltering filtering, String name) {
    LayerCase layerCase = LayerCase.parse(name);
    for (boolean wide : new boolean[] {false, true}) {
      Layer layer = new FilteredConv((Conv2d) layerCase.layer(), filtering, wide);
      check(layerCase, layer, TOLERANCE * filtering.amplification(), kernels);
    }
  }

  static Stream<Arguments> filteredCases() {
    return convolutions((inputs, outputs, panel) -> inputs % panel == 0 && outputs % panel == 0);
  }

  /** Those of stride 1 that fit, with all tiles for their kernel. */
  private static Stream<Arguments> convolutions(Fits fits) {
    return cases()
        .flatMap(arguments -> {
          String kernels = (String) arguments.get()[0];
          String name = (String) arguments.get()[1];
          return name.startsWith("conv2d") && name.contains("stride=1")
              ? filtered(kernels, name, fits)
              : Stream.of();
        });
  }

  private static Stream<Arguments> filtered(String kernels, String name, Fits fits) {
    Conv2d conv = (Conv2d) LayerCase.parse(name).layer();
    int panel = KernelsUnderTest.named(kernels).panel();
    return fits.test(conv.input().channels(), conv.outputs(), panel)
        ? Stream.of(MinimalFiltering.values())
            .filter(filtering -> filtering.kernel() == conv.kernel())
            .map(filtering -> Arguments.of(kernels, filtering, name))
        : Stream.of();
  }

  /** In one dimension, for any number of channels; the input of such a layer learns nothing. */
  @ParameterizedTest(name = "{0}: {1} {2}")
  @MethodSource("stripCases")
  void filteringDownTheColumnsAgreesWithPyTorch(
      String kernels, MinimalFiltering filtering, String name) {
    LayerCase layerCase = LayerCase.parse(name);
    Layer layer = new StripConv((Conv2d) layerCase.layer(), filtering);
    check(layerCase, layer, TOLERANCE * filtering.amplification(), kernels);
  }

  static Stream<Arguments> stripCases() {
    return convolutions((inputs, outputs, panel) -> outputs % panel == 0);
  }

  private interface Fits {
    boolean test(int inputs, int outputs, int panel);
  }

  private static void check(LayerCase layerCase, Layer layer, double tolerance, String kernels) {
    for (int extraMargin : new int[] {0, 1}) {
      check(layerCase, layer, extraMargin, tolerance, KernelsUnderTest.named(kernels));
    }
  }

  private static void check(
      LayerCase layerCase, Layer layer, int extraMargin, double tolerance, Kernels kernels) {
    int samples = layerCase.get("batch");
    boolean ids = layerCase.kind().equals("embedding") || layerCase.kind().equals("dot");
    float[] inputs = inputs(layerCase, layer, samples);
    int tile = layer.needsWholeBatch() || extraMargin == 0 ? samples : 1;
    boolean learnsInput = !ids && !(layer instanceof StripConv);
    LayerRun run = new LayerRun(layer, samples + 2, extraMargin, learnsInput, kernels);
    if (FIXTURE.has(layerCase.name() + "/evaluated")) {
      expect(layerCase, "evaluated", run.evaluate(inputs, samples), tolerance);
    }
    float[] statistics = run.statistics.clone();
    // A step with another batch size first: nothing of it may be left.
    float[] smaller = run.train(inputs, Math.max(1, samples - 1), Math.max(1, samples - 1));
    run.backward(smaller, Math.max(1, samples - 1), Math.max(1, samples - 1));
    System.arraycopy(statistics, 0, run.statistics, 0, statistics.length);

    float[] outputs = run.train(inputs, samples, tile);
    float[] outputGradient = new float[outputs.length];
    float[] targets = Formula.signed(950, 0, outputs.length);
    double loss =
        new MeanSquaredError().sum(outputs, targets, samples, layer.output().size(), outputGradient)
            / samples;
    float[] inputGradient = run.backward(outputGradient, samples, tile);
    expect(layerCase, "output", outputs, tolerance);
    expect(layerCase, "loss", new float[] {(float) loss}, tolerance);
    if (learnsInput) {
      expect(layerCase, "input", inputGradient, tolerance);
    }
    for (ParameterBlock block : run.parameterBlocks()) {
      expect(layerCase, block.name(), slice(run.gradient, block), tolerance);
    }
    for (ParameterBlock block : run.statisticsBlocks()) {
      expect(layerCase, block.name(), slice(run.statistics, block), tolerance);
    }
  }

  private static float[] slice(float[] vector, ParameterBlock block) {
    return Arrays.copyOfRange(vector, block.offset(), block.offset() + block.size());
  }

  private static float[] inputs(LayerCase layerCase, Layer layer, int samples) {
    int count = samples * layer.input().size();
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] =
          switch (layerCase.kind()) {
            case "embedding" -> Formula.whole(900, i, layerCase.get("tokens"));
            case "dot" ->
                i % 2 == 0
                    ? Formula.whole(900, i / 2, layerCase.get("users"))
                    : Formula.whole(901, i / 2, layerCase.get("items"));
            default -> Formula.signed(900, i);
          };
    }
    return values;
  }

  private static void expect(LayerCase layerCase, String what, float[] actual, double tolerance) {
    double error = Fixture.error(actual, FIXTURE.get(layerCase.name() + "/" + what));
    assertThat(error).as(what).isLessThan(tolerance);
  }
}
