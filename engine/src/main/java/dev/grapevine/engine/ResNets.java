package dev.grapevine.engine;

import dev.grapevine.engine.layer.Linear;
import java.util.function.UnaryOperator;

/**
 * Residual networks of basic blocks (He et al., CVPR 2016), with batch or group normalisation. The
 * names of their tensors are torchvision's.
 */
final class ResNets {

  /** As in GN-LeNet; Hsieh et al., The Non-IID Data Quagmire, ICML 2020. */
  private static final int GROUPS = 2;

  private ResNets() {}

  /** For small images: a 3×3 stem without pooling, widths 64 to 512. */
  static Model resnet18(ModelOptions options) {
    UnaryOperator<ModelBuilder> norm = norm(options);
    ModelBuilder builder =
        norm.apply(stem("resnet18", options, 3, 32).convWithoutBias(64, 3, 1, 1));
    stages(builder.relu(), norm, 2, 64, 64, 128, 256, 512);
    return classifier(builder, options.classesOr(10));
  }

  /** Three stages of three blocks, widths 16 to 64; projections where the width changes. */
  static Model resnet20(ModelOptions options) {
    UnaryOperator<ModelBuilder> norm = norm(options);
    ModelBuilder builder =
        norm.apply(stem("resnet20", options, 3, 32).convWithoutBias(16, 3, 1, 1));
    stages(builder.relu(), norm, 3, 16, 16, 32, 64);
    return classifier(builder, options.classesOr(10));
  }

  /**
   * torchvision's ResNet-18 as it is: a 7×7 stem of stride 2 and 3×3 max pooling, made for large
   * images. 11,181,642 trained values for 10 classes; the JWINS++ thesis calls it ResNet-20 and
   * counts 11,191,262, with the 9,620 values that batch normalisation keeps beside.
   */
  static Model torchvisionResnet18(ModelOptions options) {
    UnaryOperator<ModelBuilder> norm = norm(options);
    ModelBuilder builder =
        norm.apply(stem("torchvision-resnet18", options, 3, 32).convWithoutBias(64, 7, 2, 3));
    stages(builder.relu().maxPool(3, 2, 1), norm, 2, 64, 64, 128, 256, 512);
    return classifier(builder, options.classesOr(10));
  }

  /**
   * torchvision's ResNet-18 with half the channels: a 7×7 stem of stride 2 and 3×3 max pooling.
   * 2,811,678 trained values for grey images and 62 classes; the JWINS++ thesis counts 2,816,498,
   * with the 4,820 values that batch normalisation keeps beside.
   */
  static Model femnistResnet18(ModelOptions options) {
    UnaryOperator<ModelBuilder> norm = norm(options);
    ModelBuilder builder =
        norm.apply(stem("femnist-resnet18", options, 1, 28).convWithoutBias(32, 7, 2, 3));
    stages(builder.relu().maxPool(3, 2, 1), norm, 2, 32, 32, 64, 128, 256);
    return classifier(builder, options.classesOr(62));
  }

  private static Model classifier(ModelBuilder builder, int classes) {
    return builder.globalAvgPool().named("fc", input -> new Linear(input, classes)).crossEntropy();
  }

  private static ModelBuilder stem(
      String name, ModelOptions options, int channels, int defaultExtent) {
    int extent = options.extentOr(defaultExtent);
    return Model.image(name, options.channelsOr(channels), extent, extent)
        .shareStatistics(options.sharedStatistics())
        .convolution(options.convolution());
  }

  private static UnaryOperator<ModelBuilder> norm(ModelOptions options) {
    return switch (options.norm()) {
      case GROUP -> builder -> builder.groupNorm(GROUPS);
      case BATCH -> ModelBuilder::batchNorm;
    };
  }

  private static void stages(
      ModelBuilder builder,
      UnaryOperator<ModelBuilder> norm,
      int blocks,
      int before,
      int... widths) {
    int inputs = before;
    for (int stage = 0; stage < widths.length; stage++) {
      int width = widths[stage];
      for (int block = 0; block < blocks; block++) {
        int stride = stage > 0 && block == 0 ? 2 : 1;
        String name = "layer%d.%d".formatted(stage + 1, block);
        UnaryOperator<ModelBuilder> main =
            part ->
                norm.apply(
                    norm.apply(part.convWithoutBias(width, 3, stride, 1))
                        .relu()
                        .convWithoutBias(width, 3, 1, 1));
        if (stride == 1 && inputs == width) {
          builder.residual(name, main);
        } else {
          builder.residual(
              name, main, part -> norm.apply(part.convWithoutBias(width, 1, stride, 0)));
        }
        inputs = width;
      }
    }
  }
}
