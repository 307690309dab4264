package dev.grapevine.data;

import dev.grapevine.engine.Batch;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * The usual augmentation for small photographs: a crop of the image's own size out of the image
 * padded with black, and a mirror image every second time (K. He et al., Deep Residual Learning,
 * CVPR 2016, section 4.2). Works in place on a filled batch. Not safe for concurrent use.
 */
public final class Augmentation {

  private final ImageFormat format;
  private final int padding;
  private final float[] image;

  /**
   * @param padding black pixels added on each side before cropping
   */
  public Augmentation(ImageFormat format, int padding) {
    this.format = format;
    this.padding = padding;
    this.image = new float[format.size()];
  }

  void apply(Batch batch, RandomGenerator random) {
    for (int slot = 0; slot < batch.size(); slot++) {
      int down = random.nextInt(2 * padding + 1) - padding;
      int right = random.nextInt(2 * padding + 1) - padding;
      boolean mirrored = random.nextBoolean();
      move(batch.inputs(), slot * format.size(), down, right, mirrored);
    }
  }

  /** Lets the image at {@code at} show what lies {@code down} and {@code right} of it. */
  void move(float[] inputs, int at, int down, int right, boolean mirrored) {
    int height = format.height();
    int width = format.width();
    System.arraycopy(inputs, at, image, 0, image.length);
    for (int channel = 0; channel < format.channels(); channel++) {
      float black = format.normalise(channel, 0);
      for (int row = 0; row < height; row++) {
        int to = at + (channel * height + row) * width;
        int sourceRow = row + down;
        if (sourceRow < 0 || sourceRow >= height) {
          Arrays.fill(inputs, to, to + width, black);
          continue;
        }
        int from = (channel * height + sourceRow) * width;
        for (int column = 0; column < width; column++) {
          int sourceColumn = (mirrored ? width - 1 - column : column) + right;
          boolean inside = sourceColumn >= 0 && sourceColumn < width;
          inputs[to + column] = inside ? image[from + sourceColumn] : black;
        }
      }
    }
  }
}
