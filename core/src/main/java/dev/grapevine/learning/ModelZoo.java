package dev.grapevine.learning;

import static dev.grapevine.settings.SettingException.require;

import dev.grapevine.engine.Model;
import dev.grapevine.engine.ModelOptions;
import dev.grapevine.engine.Models;
import dev.grapevine.engine.Norm;
import dev.grapevine.engine.layer.Convolution;
import dev.grapevine.settings.Catalogue;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Family;
import dev.grapevine.settings.Kind;
import dev.grapevine.settings.SettingException;
import java.util.List;

/**
 * The engine's models, to be chosen by {@code kind} in the table {@code [model]}. Input size and
 * classes are those of the data.
 */
public final class ModelZoo implements Catalogue {

  public static final Family<ModelContext, Model> FAMILY =
      new Family<>("model", Model.class, ModelContext.class, "what every node trains");

  @Override
  public Family<?, ?> family() {
    return FAMILY;
  }

  @Override
  public List<Class<?>> kinds() {
    return List.of(
        Logistic.class,
        Linear.class,
        Mlp.class,
        SmallCnn.class,
        GnLenet.class,
        Cifar10Cnn.class,
        ResNet18.class,
        ResNet20.class,
        FemnistLogistic.class,
        FemnistCnn.class,
        TorchvisionResNet18.class,
        FemnistResNet18.class,
        CelebaCnn.class,
        ShakespeareLstm.class,
        RedditLstm.class,
        Sent140Lstm.class,
        MatrixFactorization.class);
  }

  @Kind(name = "logistic", summary = "one linear layer: multinomial logistic regression")
  static final class Logistic {
    private Logistic() {}

    public static Model create(ModelContext data) {
      return isImage(data)
          ? image("logistic", data, ModelOptions.DEFAULTS)
          : Model.flat("logistic", vector("logistic", data)).linear(data.classes()).crossEntropy();
    }
  }

  @Kind(
      name = "linear",
      summary = "one linear layer for values: least squares, the counterpart of logistic")
  static final class Linear {
    private Linear() {}

    public static Model create(ModelContext data) {
      require(
          data.classes() == 0,
          "kind",
          "model linear approximates values, but %s has classes; take logistic"
              .formatted(data.data()));
      return Model.flat("linear", quantities("linear", data)).linear(1).meanSquaredError();
    }
  }

  @Kind(
      name = "mlp",
      summary = "one hidden layer with a rectifier; for classes, or for values by least squares")
  static final class Mlp {
    private Mlp() {}

    /** The hidden layer. */
    public record Settings(
        @Default("128") @Doc("width of the hidden layer, at least 1") int hidden) {
      public Settings {
        require(
            hidden >= 1 && hidden <= 1 << 20,
            "hidden",
            "hidden must be between 1 and 1048576: hidden=" + hidden);
      }
    }

    public static Model create(Settings settings, ModelContext data) {
      if (data.classes() == 0) {
        return Model.flat("mlp", quantities("mlp", data))
            .linear(settings.hidden)
            .relu()
            .linear(1)
            .meanSquaredError();
      }
      return isImage(data)
          ? image("mlp", data, ModelOptions.DEFAULTS.withTables(0, 0, settings.hidden))
          : Model.flat("mlp", vector("mlp", data))
              .linear(settings.hidden)
              .relu()
              .linear(data.classes())
              .crossEntropy();
    }
  }

  @Kind(name = "small-cnn", summary = "two convolutions and a linear layer, for small grey images")
  static final class SmallCnn {
    private SmallCnn() {}

    /** How it is computed. */
    public record Settings(@Default("auto") @Doc(CONVOLUTION) Convolution convolution) {}

    public static Model create(Settings settings, ModelContext data) {
      return image("small-cnn", data, ModelOptions.DEFAULTS.withConvolution(settings.convolution));
    }
  }

  @Kind(
      name = "gn-lenet",
      summary = "LeNet with group normalisation, the usual model for CIFAR-10 across nodes",
      paper =
          "Hsieh et al.: The Non-IID Data Quagmire of Decentralized Machine Learning, ICML 2020")
  static final class GnLenet {
    private GnLenet() {}

    /** How it is computed. */
    public record Settings(@Default("auto") @Doc(CONVOLUTION) Convolution convolution) {}

    public static Model create(Settings settings, ModelContext data) {
      return image("gn-lenet", data, ModelOptions.DEFAULTS.withConvolution(settings.convolution));
    }
  }

  @Kind(name = "cifar10-cnn", summary = "two convolutions and three linear layers")
  static final class Cifar10Cnn {
    private Cifar10Cnn() {}

    /** How it is computed. */
    public record Settings(@Default("auto") @Doc(CONVOLUTION) Convolution convolution) {}

    public static Model create(Settings settings, ModelContext data) {
      return image(
          "cifar10-cnn", data, ModelOptions.DEFAULTS.withConvolution(settings.convolution));
    }
  }

  @Kind(
      name = "resnet18",
      summary = "ResNet-18 for small images",
      paper = "He et al.: Deep Residual Learning for Image Recognition, CVPR 2016")
  static final class ResNet18 {
    private ResNet18() {}

    /** Normalisation, and how it is computed. */
    public record Settings(
        @Default("group") @Doc(NORM) Norm norm,
        @Default("false") @Doc(STATISTICS) boolean shareStatistics,
        @Default("auto") @Doc(CONVOLUTION) Convolution convolution) {
      public Settings {
        requireStatistics(norm, shareStatistics);
      }
    }

    public static Model create(Settings settings, ModelContext data) {
      return image(
          "resnet18", data, options(settings.norm, settings.shareStatistics, settings.convolution));
    }
  }

  @Kind(
      name = "resnet20",
      summary = "ResNet-20 for small images",
      paper = "He et al.: Deep Residual Learning for Image Recognition, CVPR 2016")
  static final class ResNet20 {
    private ResNet20() {}

    /** Normalisation, and how it is computed. */
    public record Settings(
        @Default("group") @Doc(NORM) Norm norm,
        @Default("false") @Doc(STATISTICS) boolean shareStatistics,
        @Default("auto") @Doc(CONVOLUTION) Convolution convolution) {
      public Settings {
        requireStatistics(norm, shareStatistics);
      }
    }

    public static Model create(Settings settings, ModelContext data) {
      return image(
          "resnet20", data, options(settings.norm, settings.shareStatistics, settings.convolution));
    }
  }

  @Kind(name = "femnist-logistic", summary = "logistic regression on hand-written characters")
  static final class FemnistLogistic {
    private FemnistLogistic() {}

    public static Model create(ModelContext data) {
      return image("femnist-logistic", data, ModelOptions.DEFAULTS);
    }
  }

  @Kind(
      name = "femnist-cnn",
      summary = "LEAF's convolutional network for hand-written characters",
      paper = "Caldas et al.: LEAF: A Benchmark for Federated Settings, 2018")
  static final class FemnistCnn {
    private FemnistCnn() {}

    /** How it is computed. */
    public record Settings(@Default("auto") @Doc(CONVOLUTION) Convolution convolution) {}

    public static Model create(Settings settings, ModelContext data) {
      return image(
          "femnist-cnn", data, ModelOptions.DEFAULTS.withConvolution(settings.convolution));
    }
  }

  @Kind(
      name = "torchvision-resnet18",
      summary = "torchvision's ResNet-18 with its 7 x 7 stem; the JWINS++ thesis's \"ResNet-20\"",
      paper = "He et al.: Deep Residual Learning for Image Recognition, CVPR 2016")
  static final class TorchvisionResNet18 {
    private TorchvisionResNet18() {}

    /** Normalisation, and how it is computed. */
    public record Settings(
        @Default("group") @Doc(NORM) Norm norm,
        @Default("false") @Doc(STATISTICS) boolean shareStatistics,
        @Default("auto") @Doc(CONVOLUTION) Convolution convolution) {
      public Settings {
        requireStatistics(norm, shareStatistics);
      }
    }

    public static Model create(Settings settings, ModelContext data) {
      return image(
          "torchvision-resnet18",
          data,
          options(settings.norm, settings.shareStatistics, settings.convolution));
    }
  }

  @Kind(
      name = "femnist-resnet18",
      summary = "torchvision's ResNet-18 of half the width, with its 7 x 7 stem")
  static final class FemnistResNet18 {
    private FemnistResNet18() {}

    /** Normalisation, and how it is computed. */
    public record Settings(
        @Default("group") @Doc(NORM) Norm norm,
        @Default("false") @Doc(STATISTICS) boolean shareStatistics,
        @Default("auto") @Doc(CONVOLUTION) Convolution convolution) {
      public Settings {
        requireStatistics(norm, shareStatistics);
      }
    }

    public static Model create(Settings settings, ModelContext data) {
      return image(
          "femnist-resnet18",
          data,
          options(settings.norm, settings.shareStatistics, settings.convolution));
    }
  }

  @Kind(
      name = "celeba-cnn",
      summary = "LEAF's convolutional network for faces",
      paper = "Caldas et al.: LEAF: A Benchmark for Federated Settings, 2018")
  static final class CelebaCnn {
    private CelebaCnn() {}

    /** How it is computed. */
    public record Settings(@Default("auto") @Doc(CONVOLUTION) Convolution convolution) {}

    public static Model create(Settings settings, ModelContext data) {
      return image("celeba-cnn", data, ModelOptions.DEFAULTS.withConvolution(settings.convolution));
    }
  }

  @Kind(
      name = "shakespeare-lstm",
      summary = "LEAF's recurrent network for the next character",
      paper = "Caldas et al.: LEAF: A Benchmark for Federated Settings, 2018")
  static final class ShakespeareLstm {
    private ShakespeareLstm() {}

    public static Model create(ModelContext data) {
      return ids("shakespeare-lstm", data, ModelOptions.DEFAULTS);
    }
  }

  @Kind(
      name = "reddit-lstm",
      summary = "LEAF's recurrent network for the next word",
      paper = "Caldas et al.: LEAF: A Benchmark for Federated Settings, 2018")
  static final class RedditLstm {
    private RedditLstm() {}

    public static Model create(ModelContext data) {
      return ids("reddit-lstm", data, ModelOptions.DEFAULTS.withClasses(data.classes()));
    }
  }

  @Kind(
      name = "sent140-lstm",
      summary = "LEAF's recurrent network for tweets, with word vectors that are learned",
      paper = "Caldas et al.: LEAF: A Benchmark for Federated Settings, 2018")
  static final class Sent140Lstm {
    private Sent140Lstm() {}

    public static Model create(ModelContext data) {
      int words = data.vocabulary().length == 1 ? data.vocabulary()[0] : 0;
      return ids("sent140-lstm", data, ModelOptions.DEFAULTS.withTables(0, words, 0));
    }
  }

  @Kind(
      name = "matrix-factorization",
      summary = "a rating is the product of a user's and an item's learned vector",
      paper = "Koren et al.: Matrix Factorization Techniques for Recommender Systems, 2009")
  static final class MatrixFactorization {
    private MatrixFactorization() {}

    /** Length of the vectors. */
    public record Settings(
        @Default("20") @Doc("length of the learned vectors, at least 1") int dimensions) {
      public Settings {
        require(
            dimensions >= 1 && dimensions <= 1 << 16,
            "dimensions",
            "dimensions must be between 1 and 65536: dimensions=" + dimensions);
      }
    }

    public static Model create(Settings settings, ModelContext data) {
      int[] ids = data.vocabulary();
      require(
          ids.length == 2,
          "kind",
          "model matrix-factorization takes pairs of user and item, but samples of %s are none"
              .formatted(data.data()));
      return ids(
          "matrix-factorization",
          data,
          ModelOptions.DEFAULTS.withTables(ids[0], ids[1], settings.dimensions));
    }
  }

  /** A model of the zoo for samples that are ids. */
  private static Model ids(String model, ModelContext data, ModelOptions options) {
    Model made = Models.named(model, options);
    require(
        data.vocabulary().length > 0 && made.inputSize() == data.inputSize(),
        "kind",
        "model %s takes %d ids a sample, but samples of %s are %s"
            .formatted(
                model,
                made.inputSize(),
                data.data(),
                data.vocabulary().length == 0
                    ? "quantities (" + data.shapeInWords() + ")"
                    : data.shapeInWords() + " ids"));
    require(
        data.classes() == 0 || data.classes() <= made.outputSize(),
        "kind",
        "model %s tells %d classes apart, but %s has %d"
            .formatted(model, made.outputSize(), data.data(), data.classes()));
    return made;
  }

  private static final String NORM = "normalisation: group, or batch with running statistics";
  private static final String CONVOLUTION =
      "auto: by minimal filtering (Winograd) where that is faster; direct: sums over windows";
  private static final String STATISTICS =
      "whether batch normalisation's running statistics are shared along with the parameters";

  private static ModelOptions options(Norm norm, boolean shareStatistics, Convolution convolution) {
    return ModelOptions.DEFAULTS.withNorm(norm, shareStatistics).withConvolution(convolution);
  }

  private static void requireStatistics(Norm norm, boolean shareStatistics) {
    require(
        !shareStatistics || norm == Norm.BATCH,
        "share-statistics",
        "only batch normalisation has statistics to share; set norm = \"batch\" too");
  }

  private static boolean isImage(ModelContext data) {
    return data.inputShape().length == 3;
  }

  private static int vector(String model, ModelContext data) {
    requireClasses(model, data);
    return quantities(model, data);
  }

  private static int quantities(String model, ModelContext data) {
    require(
        data.vocabulary().length == 0,
        "kind",
        "model %s takes quantities, but samples of %s are ids".formatted(model, data.data()));
    return data.inputSize();
  }

  /** A model of the zoo for the data's images. */
  private static Model image(String model, ModelContext data, ModelOptions options) {
    requireClasses(model, data);
    int[] shape = data.inputShape();
    require(
        isImage(data) && shape[1] == shape[2],
        "kind",
        "model %s takes square images, but samples of %s are %s"
            .formatted(model, data.data(), data.shapeInWords()));
    try {
      return Models.named(model, options.withInput(shape[0], shape[1]).withClasses(data.classes()));
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new SettingException(
          "kind",
          "model %s cannot take the samples of %s, which are %s: %s"
              .formatted(model, data.data(), data.shapeInWords(), e.getMessage()));
    }
  }

  private static void requireClasses(String model, ModelContext data) {
    require(
        data.classes() >= 2,
        "kind",
        "model %s needs data with classes, but %s has values; take linear or mlp"
            .formatted(model, data.data()));
  }
}
