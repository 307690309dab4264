package dev.grapevine.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.grapevine.engine.kernel.MinimalFiltering;
import dev.grapevine.engine.layer.Chain;
import dev.grapevine.engine.layer.Conv2d;
import dev.grapevine.engine.layer.Convolution;
import dev.grapevine.engine.layer.Layer;
import dev.grapevine.engine.layer.Residual;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Every model of the zoo against PyTorch in double precision: names and shapes, outputs, loss,
 * samples of every gradient, and the losses of 20 steps.
 */
class ModelFixtureTest {

  private static final double TOLERANCE = 1e-5;

  /**
   * Here a ReLU's input is so near to zero that other rounding changes its sign, and the gradient
   * jumps: by 0.6 % of its length, where direct convolutions jump by 1.2 % when inputs change by
   * 1e-5. So filtered gradients are held to direct ones by what those do when inputs are off by the
   * tolerance.
   */
  private static final String FLIPS = "resnet18 norm=batch";

  private static final int GRADIENT_SAMPLES = 32;
  private static final Fixture FIXTURE = Fixture.read("models.safetensors");
  private static final Map<String, String> SETTINGS = settings();

  private static Map<String, String> settings() {
    try {
      return Safetensors.metadata(Fixture.path("models.safetensors"));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  static Stream<Arguments> models() {
    return SETTINGS.keySet().stream()
        .flatMap(name -> {
          Stream<Convolution> both = Stream.of(Convolution.values());
          return both.filter(how -> how == Convolution.DIRECT || isFiltered(name))
              .map(how -> Arguments.of(name, how));
        });
  }

  private static boolean isFiltered(String name) {
    return amplification(model(name, Convolution.AUTO).chain()) > 1;
  }

  /** The largest of all layers. */
  private static double amplification(Layer layer) {
    return switch (layer) {
      case Conv2d conv -> conv.filtering().map(MinimalFiltering::amplification).orElse(1.0);
      case Residual block -> amplification(block.main());
      case Chain chain ->
          chain.links().stream().mapToDouble(link -> amplification(link.layer())).max().orElse(1);
      default -> 1;
    };
  }

  @Test
  void everyModelOfTheZooIsHere() {
    assertThat(SETTINGS.keySet().stream().map(name -> name.split(" ")[0]))
        .containsAll(Models.all().stream().map(Models.Entry::name).toList());
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("models")
  void agreesWithPyTorch(String name, Convolution convolution) {
    Model model = model(name, convolution);
    double tolerance = TOLERANCE * amplification(model.chain());
    JsonNode settings = JsonMapper.shared().readTree(SETTINGS.get(name));
    assertThat(tensors(model)).isEqualTo(tensors(settings.get("parameters")));

    float[] parameters = new float[model.parameterCount()];
    float[] statistics = new float[model.statisticsCount()];
    fill(model.parameters().subList(0, count(settings)), parameters, 1);
    fill(model.statistics(), model.statisticsCount() == 0 ? parameters : statistics, 501);
    Batch batch =
        new Batch(settings.get("batch").intValue(), model.inputSize(), model.targetSize());
    batch.resize(batch.capacity());
    Workspace workspace = model.workspace(batch.size() + 1);

    load(name, model, batch, 0);
    float[] outputs = new float[batch.size() * model.outputSize()];
    workspace.forward(parameters, statistics, batch, outputs);
    float[] expected = FIXTURE.get(name + "/outputs");
    assertThat(Fixture.error(sampled(6999, outputs, 0, outputs.length, expected.length), expected))
        .as("outputs")
        .isLessThan(tolerance);

    float[] gradient = new float[parameters.length];
    Sgd sgd = new Sgd();
    float[] losses = FIXTURE.get(name + "/losses");
    // Rounding grows from step to step, and other rounding grows differently.
    int steps = convolution == Convolution.DIRECT ? losses.length : losses.length / 2;
    for (int step = 0; step < steps; step++) {
      load(name, model, batch, step);
      double loss = workspace.gradient(parameters, statistics, batch, gradient);
      if (step == 0 && convolution == Convolution.AUTO && name.equals(FLIPS)) {
        checkAgainstDirect(model(name, Convolution.DIRECT), parameters, batch, gradient, tolerance);
      } else if (step == 0) {
        checkGradient(name, model, gradient, tolerance);
      }
      double bound = losses[step] * tolerance * (step == 0 ? 1 : 10);
      assertThat(loss).as("loss of step %d", step).isCloseTo(losses[step], within(bound));
      double rate = settings.get("rate").doubleValue();
      sgd.step(parameters, gradient, model.trainableCount(), new float[0], step, rate);
    }
  }

  private static Model model(String name, Convolution convolution) {
    String[] words = name.split(" ");
    ModelOptions options = ModelOptions.DEFAULTS.withConvolution(convolution);
    for (String word : words) {
      options =
          switch (word) {
            case "norm=group" -> options.withNorm(Norm.GROUP, false);
            case "norm=batch" -> options.withNorm(Norm.BATCH, false);
            case "extent=8" -> options.withInput(0, 8);
            case "extent=64" -> options.withInput(0, 64);
            default -> options;
          };
    }
    return Models.named(words[0], options);
  }

  private static int count(JsonNode settings) {
    return settings.get("parameters").size();
  }

  private static List<String> tensors(Model model) {
    return model.parameters().stream()
        .filter(block -> block.offset() < model.trainableCount())
        .map(block -> block.name() + Arrays.toString(block.shape()))
        .toList();
  }

  private static List<String> tensors(JsonNode parameters) {
    List<String> tensors = new ArrayList<>();
    for (JsonNode parameter : parameters) {
      tensors.add(parameter.get(0).stringValue() + parameter.get(1).toString().replace(",", ", "));
    }
    return tensors;
  }

  private static void fill(List<ParameterBlock> blocks, float[] vector, int seed) {
    for (int i = 0; i < blocks.size(); i++) {
      Formula.parameter(seed + i, blocks.get(i), vector);
    }
  }

  /** Batch number {@code step} of models.py. */
  private static void load(String name, Model model, Batch batch, int step) {
    int seed = 1000 + 3 * step;
    float[] inputs = batch.inputs();
    for (int i = 0; i < inputs.length; i++) {
      inputs[i] =
          switch (name) {
            case "shakespeare-lstm" -> Formula.whole(seed, i, 92);
            case "reddit-lstm" -> Formula.whole(seed, i, 9999);
            case "sent140-lstm" -> Formula.whole(seed, i, 10_000);
            case "matrix-factorization" ->
                i % 2 == 0 ? Formula.whole(seed, i / 2, 610) : Formula.whole(seed + 1, i / 2, 9724);
            default -> Formula.signed(seed, i);
          };
    }
    for (int n = 0; n < batch.size(); n++) {
      batch.targets()[n] =
          name.equals("matrix-factorization")
              ? Formula.whole(seed + 2, n, 10) / 2f + 0.5f
              : Formula.whole(seed + 2, n, model.outputSize());
    }
  }

  private static void checkGradient(String name, Model model, float[] gradient, double tolerance) {
    float[] samples = FIXTURE.get(name + "/gradients");
    float[] norms = FIXTURE.get(name + "/gradients.norm");
    float[] largest = FIXTURE.get(name + "/gradients.largest");
    for (int b = 0; b < norms.length; b++) {
      ParameterBlock block = model.parameters().get(b);
      float[] actual = sampled(7000 + b, gradient, block.offset(), block.size(), GRADIENT_SAMPLES);
      for (int i = 0; i < GRADIENT_SAMPLES; i++) {
        assertThat((double) actual[i])
            .as("gradient of %s, sample %d", block.name(), i)
            .isCloseTo(samples[b * GRADIENT_SAMPLES + i], within(tolerance * largest[b]));
      }
      assertThat(norm(gradient, block))
          .as("norm of the gradient of %s", block.name())
          .isCloseTo(norms[b], within(tolerance * norms[b]));
    }
  }

  /** No further from the direct gradient than twice what that moves with inputs as inexact. */
  private static void checkAgainstDirect(
      Model direct, float[] parameters, Batch batch, float[] gradient, double tolerance) {
    float[] exact = gradient(direct, parameters, batch);
    double moved = 0;
    for (int seed = 1; seed <= 2; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Batch inexact = new Batch(batch.size(), direct.inputSize(), direct.targetSize());
      inexact.resize(batch.size());
      System.arraycopy(batch.targets(), 0, inexact.targets(), 0, batch.targets().length);
      for (int i = 0; i < inexact.inputs().length; i++) {
        double factor = 1 + tolerance * random.nextGaussian();
        inexact.inputs()[i] = (float) (batch.inputs()[i] * factor);
      }
      moved = Math.max(moved, Fixture.distance(gradient(direct, parameters, inexact), exact));
    }
    assertThat(Fixture.distance(gradient, exact))
        .as("distance from the gradient of direct convolutions")
        .isLessThan(2 * moved)
        .isLessThan(0.05);
  }

  private static float[] gradient(Model model, float[] parameters, Batch batch) {
    float[] gradient = new float[parameters.length];
    float[] statistics = new float[model.statisticsCount()];
    model.workspace(batch.size()).gradient(parameters, statistics, batch, gradient);
    return gradient;
  }

  private static float[] sampled(int seed, float[] vector, int offset, int size, int count) {
    float[] samples = new float[count];
    for (int i = 0; i < count; i++) {
      samples[i] = vector[offset + Formula.whole(seed, i, size)];
    }
    return samples;
  }

  private static double norm(float[] vector, ParameterBlock block) {
    double sum = 0;
    for (int i = block.offset(); i < block.offset() + block.size(); i++) {
      sum += (double) vector[i] * vector[i];
    }
    return Math.sqrt(sum);
  }
}
