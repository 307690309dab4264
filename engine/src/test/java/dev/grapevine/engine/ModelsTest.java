package dev.grapevine.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

final class ModelsTest {

  @ParameterizedTest
  @CsvSource({
    "gn-lenet, 89834",
    "cifar10-cnn, 62006",
    "resnet18, 11173962",
    "resnet20, 272474",
    "femnist-logistic, 48670",
    "femnist-cnn, 1690046",
    "torchvision-resnet18, 11181642",
    "femnist-resnet18, 2811678",
    "celeba-cnn, 30242",
    "shakespeare-lstm, 2683708",
    "reddit-lstm, 4317895",
    "sent140-lstm, 3241802",
    "matrix-factorization, 206680",
    "shakespeare-lstm, 2683708",
    "reddit-lstm, 4317895",
    "matrix-factorization, 206680",
    "logistic, 7850",
    "mlp, 101770",
  })
  void hasAsManyParametersAsItsCounterpartInPyTorch(String name, int count) {
    assertThat(Models.named(name).parameterCount()).isEqualTo(count);
  }

  /** The thesis counts what PyTorch saves: a counter for each of twenty normalisations, too. */
  @ParameterizedTest
  @CsvSource({"torchvision-resnet18, 11191262", "femnist-resnet18, 2816498"})
  void theThesisCountsWhatBatchNormalisationKeeps(String name, int count) {
    Model model = Models.named(name, ModelOptions.DEFAULTS.withNorm(Norm.BATCH, false));
    assertThat(model.parameterCount() + model.statisticsCount() + 20).isEqualTo(count);
  }

  @Test
  void sharedStatisticsSitAtTheTailOfTheVector() {
    Model local = Models.named("resnet18", ModelOptions.DEFAULTS.withNorm(Norm.BATCH, false));
    Model shared = Models.named("resnet18", ModelOptions.DEFAULTS.withNorm(Norm.BATCH, true));
    assertThat(local.parameterCount()).isEqualTo(11_173_962);
    assertThat(local.statisticsCount()).isEqualTo(9600);
    assertThat(shared.parameterCount()).isEqualTo(11_173_962 + 9600);
    assertThat(shared.trainableCount()).isEqualTo(11_173_962);
    assertThat(shared.statisticsCount()).isZero();
    assertThat(shared.parameters().getLast().name()).isEqualTo("layer4.1.bn2.running_var");
  }

  @Test
  void tensorsHavePyTorchNamesInPyTorchOrder() {
    assertThat(Models.named("gn-lenet").parameters())
        .extracting(ParameterBlock::name)
        .startsWith("conv1.weight", "conv1.bias", "gn1.weight", "gn1.bias", "conv2.weight")
        .endsWith("fc1.weight", "fc1.bias");
    assertThat(Models.named("resnet18").parameters())
        .extracting(ParameterBlock::name)
        .contains("layer1.0.conv1.weight", "layer2.0.downsample.0.weight", "layer2.0.gn2.bias");
  }

  @Test
  void anUnknownNameListsTheKnownOnes() {
    assertThatThrownBy(() -> Models.named("lenet"))
        .hasMessageContaining("name=lenet")
        .hasMessageContaining("gn-lenet");
  }

  @ParameterizedTest
  @MethodSource("dev.grapevine.engine.Models#all")
  void learnsAFewSamplesByHeart(Models.Entry entry) {
    Model model = entry.model();
    int labels = Math.min(3, model.outputSize());
    Batch batch = FiniteDifferences.randomBatch(model, 3, labels, 7);
    boolean readsIds = model.inputShape().length == 1;
    for (int i = 0; readsIds && i < batch.inputs().length; i++) {
      batch.inputs()[i] = i % 3;
    }
    float[] parameters = new float[model.parameterCount()];
    float[] gradient = new float[parameters.length];
    float[] none = new float[model.statisticsCount()];
    model.initialize(parameters, none, new SplittableRandom(3));
    Workspace workspace = model.workspace(3);
    double first = workspace.gradient(parameters, none, batch, gradient);
    double last = first;
    for (int step = 0; step < 8; step++) {
      for (int i = 0; i < gradient.length; i++) {
        parameters[i] -= 0.01f * gradient[i];
      }
      last = workspace.gradient(parameters, none, batch, gradient);
    }
    assertThat(last).isFinite().isLessThan(first);
  }
}
