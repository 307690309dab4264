package dev.grapevine.engine;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The zoo: ready-made models by name. */
public final class Models {

  /** One kind of model in the zoo. */
  public record Entry(String name, String summary, Function<ModelOptions, Model> create) {

    /** The model with its own defaults. */
    public Model model() {
      return create.apply(ModelOptions.DEFAULTS);
    }
  }

  private static final List<Entry> ALL =
      List.of(
          new Entry("gn-lenet", "LeNet with group normalisation, for CIFAR-10", Models::gnLenet),
          new Entry("cifar10-cnn", "two convolutions and three linear layers", Models::cifar10Cnn),
          new Entry("resnet18", "ResNet-18 for small images", ResNets::resnet18),
          new Entry("resnet20", "ResNet-20 for small images", ResNets::resnet20),
          new Entry(
              "torchvision-resnet18", "ResNet-18 with a 7×7 stem", ResNets::torchvisionResnet18),
          new Entry("femnist-logistic", "logistic regression on 28×28", Models::femnistLogistic),
          new Entry("femnist-cnn", "LEAF's CNN for FEMNIST", Models::femnistCnn),
          new Entry("femnist-resnet18", "half-width ResNet-18", ResNets::femnistResnet18),
          new Entry("celeba-cnn", "LEAF's CNN for CelebA", Models::celebaCnn),
          new Entry("shakespeare-lstm", "LEAF's next character", _ -> IdModels.shakespeareLstm()),
          new Entry("reddit-lstm", "LEAF's next word", Models::redditLstm),
          new Entry("sent140-lstm", "LEAF's glad or sad", Models::sent140Lstm),
          new Entry(
              "matrix-factorization", "ratings from user and item", Models::matrixFactorization),
          new Entry("logistic", "logistic regression on images", Models::logistic),
          new Entry("mlp", "one hidden layer", Models::mlp),
          new Entry("small-cnn", "a small CNN for 28×28 or 8×8", Models::smallCnn));

  private Models() {}

  /** All of them, in the order in which a list shows them. */
  public static List<Entry> all() {
    return ALL;
  }

  /** A model with its own defaults. */
  public static Model named(String name) {
    return named(name, ModelOptions.DEFAULTS);
  }

  /**
   * @throws IllegalArgumentException if there is no such model; the message lists the names
   */
  public static Model named(String name, ModelOptions options) {
    for (Entry entry : ALL) {
      if (entry.name().equals(name)) {
        return entry.create().apply(options);
      }
    }
    throw new IllegalArgumentException(
        "no such model: name=%s, known=%s"
            .formatted(name, ALL.stream().map(Entry::name).collect(Collectors.joining(", "))));
  }

  private static ModelBuilder image(
      String name, ModelOptions options, int channels, int defaultExtent) {
    int extent = options.extentOr(defaultExtent);
    return Model.image(name, options.channelsOr(channels), extent, extent)
        .convolution(options.convolution());
  }

  private static Model gnLenet(ModelOptions options) {
    return image("gn-lenet", options, 3, 32)
        .convSame(32, 5)
        .groupNorm(2)
        .relu()
        .maxPool(2)
        .convSame(32, 5)
        .groupNorm(2)
        .relu()
        .maxPool(2)
        .convSame(64, 5)
        .groupNorm(2)
        .relu()
        .maxPool(2)
        .flatten()
        .linear(options.classesOr(10))
        .crossEntropy();
  }

  private static Model cifar10Cnn(ModelOptions options) {
    return image("cifar10-cnn", options, 3, 32)
        .conv(6, 5)
        .relu()
        .maxPool(2)
        .conv(16, 5)
        .relu()
        .maxPool(2)
        .flatten()
        .linear(120)
        .relu()
        .linear(84)
        .relu()
        .linear(options.classesOr(10))
        .crossEntropy();
  }

  private static Model femnistLogistic(ModelOptions options) {
    return image("femnist-logistic", options, 1, 28)
        .flatten()
        .linear(options.classesOr(62))
        .crossEntropy();
  }

  private static Model femnistCnn(ModelOptions options) {
    return image("femnist-cnn", options, 1, 28)
        .convSame(32, 5)
        .relu()
        .maxPool(2)
        .convSame(64, 5)
        .relu()
        .maxPool(2)
        .flatten()
        .linear(512)
        .relu()
        .linear(options.classesOr(62))
        .crossEntropy();
  }

  private static Model celebaCnn(ModelOptions options) {
    return image("celeba-cnn", options, 3, 84)
        .convSame(32, 3)
        .maxPool(2)
        .relu()
        .convSame(32, 3)
        .maxPool(2)
        .relu()
        .convSame(32, 3)
        .maxPool(2)
        .relu()
        .convSame(32, 3)
        .maxPool(2)
        .relu()
        .flatten()
        .linear(options.classesOr(2))
        .crossEntropy();
  }

  private static Model logistic(ModelOptions options) {
    return image("logistic", options, 1, 28).flatten().linear(options.classesOr(10)).crossEntropy();
  }

  private static Model mlp(ModelOptions options) {
    return image("mlp", options, 1, 28)
        .flatten()
        .linear(options.dimensionsOr(128))
        .relu()
        .linear(options.classesOr(10))
        .crossEntropy();
  }

  private static Model smallCnn(ModelOptions options) {
    return image("small-cnn", options, 1, 28)
        .convSame(16, 3)
        .relu()
        .maxPool(2)
        .convSame(32, 3)
        .relu()
        .maxPool(2)
        .flatten()
        .linear(options.classesOr(10))
        .crossEntropy();
  }

  private static Model sent140Lstm(ModelOptions options) {
    return IdModels.sent140Lstm(options.items() > 0 ? options.items() : 10_000);
  }

  private static Model redditLstm(ModelOptions options) {
    return IdModels.redditLstm(options.classesOr(9999));
  }

  private static Model matrixFactorization(ModelOptions options) {
    return IdModels.matrixFactorization(
        options.users() == 0 ? 610 : options.users(),
        options.items() == 0 ? 9724 : options.items(),
        options.dimensionsOr(20));
  }
}
