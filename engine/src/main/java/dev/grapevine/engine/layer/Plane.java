package dev.grapevine.engine.layer;

/**
 * The values of a batch at one place of a model: [sample][row][column][channel] with a margin of
 * zeros around the rows and columns of each sample.
 */
public final class Plane {

  /** Values behind the last sample that copies of whole vectors may read. */
  private static final int SLACK = 16;

  private final float[] data;
  private final int height;
  private final int width;
  private final int channels;
  private final int margin;

  public Plane(Shape shape, int margin, int capacity) {
    this.height = shape.height();
    this.width = shape.width();
    this.channels = shape.channels();
    this.margin = margin;
    int sample = Math.multiplyExact(rowStride(), height + 2 * margin);
    this.data = new float[Math.addExact(Math.multiplyExact(sample, capacity), SLACK)];
  }

  public float[] data() {
    return data;
  }

  public int height() {
    return height;
  }

  public int width() {
    return width;
  }

  public int channels() {
    return channels;
  }

  public int margin() {
    return margin;
  }

  /** Floats from one row to the next. */
  public int rowStride() {
    return (width + 2 * margin) * channels;
  }

  /** Floats from one sample to the next. */
  public int sampleStride() {
    return rowStride() * (height + 2 * margin);
  }

  /** Floats of one row without its margin; they are contiguous. */
  public int rowLength() {
    return width * channels;
  }

  /**
   * Where a pixel starts; rows and columns may lie in the margin (−margin … height + margin − 1).
   */
  public int at(int sample, int row, int column) {
    return sample * sampleStride() + (row + margin) * rowStride() + (column + margin) * channels;
  }
}
