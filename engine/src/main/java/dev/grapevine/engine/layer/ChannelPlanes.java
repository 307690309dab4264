package dev.grapevine.engine.layer;

/**
 * A tile of a convolution's input turned into planes of single channels:
 * [sample][channel][row][column modulo stride][column / stride]. What one kernel tap meets along an
 * output row are neighbours here.
 */
final class ChannelPlanes {

  private final Plane input;
  private final int kernel;
  private final int stride;
  private final int columns;
  private final int channelSize;
  private final int sampleSize;
  private final int first;
  private final int span;
  private final float[] data;
  private final int[] rows;
  private final int[] taps;

  /**
   * @param slack values behind the last plane that may be read but mean nothing
   */
  ChannelPlanes(Conv2d conv, Binding binding, int slack) {
    this.input = binding.input().value();
    this.kernel = conv.kernel();
    this.stride = conv.stride();
    this.first = -conv.padding();
    this.span = conv.input().width() + 2 * conv.padding();
    this.columns = (span + stride - 1) / stride;
    int height = conv.input().height() + 2 * conv.padding();
    this.channelSize = height * stride * columns;
    this.sampleSize = Math.multiplyExact(channelSize, conv.input().channels());
    this.data = new float[Math.multiplyExact(sampleSize, binding.capacity()) + slack];
    int outputHeight = conv.output().height();
    this.rows = new int[binding.capacity() * outputHeight];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = i / outputHeight * sampleSize + i % outputHeight * stride * stride * columns;
    }
    int channels = conv.input().channels();
    this.taps = new int[conv.kernel() * conv.kernel() * channels];
    for (int i = 0; i < taps.length; i++) {
      int row = i / (conv.kernel() * channels);
      int column = i / channels % conv.kernel();
      taps[i] = i % channels * channelSize + place(row, column);
    }
  }

  /** Where a row and column (counted from the corner of the padding) lie within a channel. */
  private int place(int row, int column) {
    return (row * stride + column % stride) * columns + column / stride;
  }

  float[] data() {
    return data;
  }

  /**
   * Output row (counted over the tile's samples) to the start of the input row that it begins at.
   */
  int[] rows() {
    return rows;
  }

  /** Offset of a tap, numbered kernel row, kernel column, channel. */
  int tap(int tap) {
    return taps[tap];
  }

  /** Takes in samples [from, to), as the first of the tile. */
  void fill(int from, int to) {
    float[] source = input.data();
    int channels = input.channels();
    int height = channelSize / (stride * columns);
    for (int n = from; n < to; n++) {
      for (int row = 0; row < height; row++) {
        if (row % stride >= kernel) {
          continue;
        }
        int start = input.at(n, first + row, first);
        int target = (n - from) * sampleSize + place(row, 0);
        for (int c = 0; c < channels; c++) {
          for (int parity = 0; parity < Math.min(stride, kernel); parity++) {
            int to0 = target + c * channelSize + parity * columns;
            int at = start + parity * channels + c;
            for (int x = parity, i = 0; x < span; x += stride, i++) {
              data[to0 + i] = source[at + i * stride * channels];
            }
          }
        }
      }
    }
  }
}
