package dev.grapevine.engine.layer;

import java.util.Arrays;

/**
 * The values of a batch at one place of a model: [sample][row][column][channel] with a margin of
 * zeros around the rows and columns of each sample. May keep a few neighbouring samples only, each
 * of which takes the place of an earlier one.
 */
public final class Plane {

  /** Values behind the last sample that copies of whole vectors may read. */
  private static final int SLACK = 16;

  private final float[] data;
  private final int height;
  private final int width;
  private final int channels;
  private final int margin;

  /** Of a sample's number, the bits that say where it lies. */
  private int places;

  public Plane(Shape shape, int margin, int capacity) {
    this(shape, margin, capacity, -1);
  }

  private Plane(Shape shape, int margin, int capacity, int places) {
    this.places = places;
    this.height = shape.height();
    this.width = shape.width();
    this.channels = shape.channels();
    this.margin = margin;
    int sample = Math.multiplyExact(rowStride(), height + 2 * margin);
    this.data = new float[Math.addExact(Math.multiplyExact(sample, capacity), SLACK)];
  }

  /**
   * Room for so many neighbouring samples, wherever in the batch they are.
   *
   * @param samples a power of two
   */
  static Plane ofNeighbours(Shape shape, int margin, int samples) {
    return new Plane(shape, margin, samples, samples - 1);
  }

  /** Keeps so many neighbouring samples, a power of two, though there may be room for more. */
  void keep(int samples) {
    places = samples - 1;
  }

  void keepAll() {
    places = -1;
  }

  /** From where a sample would lie if all were kept to where it lies. */
  int shift(int sample) {
    return ((sample & places) - sample) * sampleStride();
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
    return (sample & places) * sampleStride()
        + (row + margin) * rowStride()
        + (column + margin) * channels;
  }

  /** Zeros for a few samples, their margins included. */
  void clear(int from, int to) {
    for (int n = from; n < to; n++) {
      int start = at(n, -margin, -margin);
      Arrays.fill(data, start, start + sampleStride(), 0f);
    }
  }
}
