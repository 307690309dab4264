package dev.grapevine.engine.layer;

import dev.grapevine.engine.kernel.MinimalFiltering;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Two-dimensional convolution with a square kernel: out = (in + 2·padding − kernel) / stride + 1,
 * weights as [outputs][inputs][kernel][kernel].
 */
public record Conv2d(
    Shape.Image input,
    int outputs,
    int kernel,
    int stride,
    int padding,
    boolean bias,
    Convolution convolution)
    implements Layer {

  /** With {@link Convolution#AUTO}. */
  public Conv2d(Shape.Image input, int outputs, int kernel, int stride, int padding, boolean bias) {
    this(input, outputs, kernel, stride, padding, bias, Convolution.AUTO);
  }

  public Conv2d {
    if (outputs < 1 || kernel < 1 || stride < 1 || padding < 0) {
      throw new IllegalArgumentException(
          "a convolution needs outputs, kernel and stride of 1 at least and no negative padding: "
              + "outputs=%d, kernel=%d, stride=%d, padding=%d"
                  .formatted(outputs, kernel, stride, padding));
    }
    if (Math.min(input.height(), input.width()) + 2 * padding < kernel) {
      throw new IllegalArgumentException(
          "the kernel is larger than the padded input: kernel=%d, padding=%d, input=%s"
              .formatted(kernel, padding, input));
    }
  }

  /** The input's shape as an image, or a clear complaint. */
  public static Shape.Image image(Shape shape) {
    if (shape instanceof Shape.Image image) {
      return image;
    }
    throw new IllegalArgumentException("wants an image as input: input=" + shape);
  }

  @Override
  public Shape.Image output() {
    return new Shape.Image(outputs, extent(input.height()), extent(input.width()));
  }

  private int extent(int in) {
    return (in + 2 * padding - kernel) / stride + 1;
  }

  @Override
  public List<Parameter> parameters() {
    Initialization start = Initialization.fanIn(input.channels() * kernel * kernel);
    List<Parameter> parameters = new ArrayList<>();
    parameters.add(
        new Parameter("weight", new int[] {outputs, input.channels(), kernel, kernel}, start));
    if (bias) {
      parameters.add(new Parameter("bias", new int[] {outputs}, start));
    }
    return parameters;
  }

  /** The tiles of minimal filtering that batches of enough samples go through; none if direct. */
  public Optional<MinimalFiltering> filtering() {
    return FilteringRule.tiles(this);
  }

  /** In one dimension or two. */
  private Optional<MinimalFiltering> anyFiltering() {
    return filtering().or(() -> FilteringRule.strips(this));
  }

  @Override
  public int inputMargin() {
    int tiles = anyFiltering().map(f -> FilteringRule.inputMargin(this, f)).orElse(0);
    return Math.max(padding, tiles);
  }

  @Override
  public int gradientMargin() {
    int direct =
        Math.max(
            ParityClass.margin(this, input.height(), output().height()),
            ParityClass.margin(this, input.width(), output().width()));
    return Math.max(
        direct, anyFiltering().map(f -> FilteringRule.gradientMargin(this, f)).orElse(0));
  }

  @Override
  public boolean writesAhead() {
    return true;
  }

  @Override
  public boolean needsWholeBatch() {
    return FilteringRule.isHeavy(this);
  }

  @Override
  public long multiplyAdds() {
    return (long) output().size() * input.channels() * kernel * kernel;
  }

  @Override
  public Pass pass(Binding binding) {
    return ChosenConvPass.of(this, binding);
  }
}
