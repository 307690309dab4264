package dev.grapevine.engine;

import dev.grapevine.engine.layer.Convolution;

/**
 * What a data set or a user may change about a model of the zoo. Zero stands for the model's own
 * default; what a model has no use for is ignored.
 *
 * @param classes number of classes
 * @param channels input channels
 * @param extent height and width of the input image
 * @param norm normalisation of residual networks
 * @param sharedStatistics are running statistics part of the shared parameter vector?
 * @param users rows of the user table (matrix factorization)
 * @param items rows of the item table (matrix factorization)
 * @param dimensions length of an embedding (matrix factorization) or of the hidden layer (mlp)
 * @param convolution how convolutions are computed
 */
public record ModelOptions(
    int classes,
    int channels,
    int extent,
    Norm norm,
    boolean sharedStatistics,
    int users,
    int items,
    int dimensions,
    Convolution convolution) {

  public static final ModelOptions DEFAULTS =
      new ModelOptions(0, 0, 0, Norm.GROUP, false, 0, 0, 0, Convolution.AUTO);

  public ModelOptions {
    requireNotNegative("classes", classes);
    requireNotNegative("channels", channels);
    requireNotNegative("extent", extent);
    requireNotNegative("users", users);
    requireNotNegative("items", items);
    requireNotNegative("dimensions", dimensions);
  }

  private static void requireNotNegative(String name, int value) {
    if (value < 0) {
      throw new IllegalArgumentException("must not be negative: %s=%d".formatted(name, value));
    }
  }

  public ModelOptions withClasses(int value) {
    return new ModelOptions(
        value, channels, extent, norm, sharedStatistics, users, items, dimensions, convolution);
  }

  public ModelOptions withInput(int newChannels, int newExtent) {
    return new ModelOptions(
        classes,
        newChannels,
        newExtent,
        norm,
        sharedStatistics,
        users,
        items,
        dimensions,
        convolution);
  }

  public ModelOptions withNorm(Norm value, boolean shared) {
    return new ModelOptions(
        classes, channels, extent, value, shared, users, items, dimensions, convolution);
  }

  public ModelOptions withTables(int newUsers, int newItems, int newDimensions) {
    return new ModelOptions(
        classes,
        channels,
        extent,
        norm,
        sharedStatistics,
        newUsers,
        newItems,
        newDimensions,
        convolution);
  }

  public ModelOptions withConvolution(Convolution value) {
    return new ModelOptions(
        classes, channels, extent, norm, sharedStatistics, users, items, dimensions, value);
  }

  int classesOr(int otherwise) {
    return classes == 0 ? otherwise : classes;
  }

  int channelsOr(int otherwise) {
    return channels == 0 ? otherwise : channels;
  }

  int extentOr(int otherwise) {
    return extent == 0 ? otherwise : extent;
  }

  int dimensionsOr(int otherwise) {
    return dimensions == 0 ? otherwise : dimensions;
  }
}
