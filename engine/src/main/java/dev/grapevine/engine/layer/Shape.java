package dev.grapevine.engine.layer;

/** What one sample looks like between two layers. */
public sealed interface Shape {

  int channels();

  int height();

  int width();

  /** Values per sample. */
  default int size() {
    return Math.multiplyExact(channels(), Math.multiplyExact(height(), width()));
  }

  /** The dimensions in PyTorch's order. */
  int[] dimensions();

  /** An image. */
  record Image(int channels, int height, int width) implements Shape {
    public Image {
      requirePositive("channels", channels);
      requirePositive("height", height);
      requirePositive("width", width);
    }

    @Override
    public int[] dimensions() {
      return new int[] {channels, height, width};
    }

    @Override
    public String toString() {
      return channels + "×" + height + "×" + width;
    }
  }

  /** A list of values, or of ids. */
  record Flat(int channels) implements Shape {
    public Flat {
      requirePositive("size", channels);
    }

    @Override
    public int height() {
      return 1;
    }

    @Override
    public int width() {
      return 1;
    }

    @Override
    public int[] dimensions() {
      return new int[] {channels};
    }

    @Override
    public String toString() {
      return Integer.toString(channels);
    }
  }

  /** A sequence of feature vectors; time is the plane's width, features are its channels. */
  record Sequence(int length, int features) implements Shape {
    public Sequence {
      requirePositive("length", length);
      requirePositive("features", features);
    }

    @Override
    public int channels() {
      return features;
    }

    @Override
    public int height() {
      return 1;
    }

    @Override
    public int width() {
      return length;
    }

    @Override
    public int[] dimensions() {
      return new int[] {length, features};
    }

    @Override
    public String toString() {
      return length + "×" + features;
    }
  }

  private static void requirePositive(String name, int value) {
    if (value < 1) {
      throw new IllegalArgumentException("must be positive: %s=%d".formatted(name, value));
    }
  }
}
