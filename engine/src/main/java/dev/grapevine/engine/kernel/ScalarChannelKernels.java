package dev.grapevine.engine.kernel;

/**
 * Plain loops over the channels from {@code first} on: all of them, or those that a vector kernel
 * leaves over.
 */
final class ScalarChannelKernels implements ChannelKernels {

  private final int vectorLength;

  /**
   * @param vectorLength leave whole vectors of channels alone; 0 to do all channels
   */
  ScalarChannelKernels(int vectorLength) {
    this.vectorLength = vectorLength;
  }

  private int first(int channels) {
    return vectorLength == 0 ? 0 : channels - channels % vectorLength;
  }

  @Override
  public void sums(float[] x, int xAt, int pixels, int channels, float[] sum, int sumAt) {
    for (int p = 0; p < pixels; p++) {
      for (int c = first(channels); c < channels; c++) {
        sum[sumAt + c] += x[xAt + p * channels + c];
      }
    }
  }

  @Override
  public void moments(float[] x, int xAt, int pixels, int channels, ChannelTerms t) {
    for (int p = 0; p < pixels; p++) {
      for (int c = first(channels); c < channels; c++) {
        float v = x[xAt + p * channels + c] - t.center[c];
        t.sum[c] += v;
        t.product[c] += v * v;
      }
    }
  }

  @Override
  public void affine(
      float[] x,
      int xAt,
      float[] y,
      int yAt,
      int pixels,
      int channels,
      ChannelTerms t,
      boolean relu) {
    for (int p = 0; p < pixels; p++) {
      for (int c = first(channels); c < channels; c++) {
        float v = Math.fma(x[xAt + p * channels + c], t.scale[c], t.shift[c]);
        y[yAt + p * channels + c] = relu && v <= 0 ? 0f : v;
      }
    }
  }

  @Override
  public void affineSums(
      float[] x,
      int xAt,
      float[] dy,
      int dyAt,
      int pixels,
      int channels,
      ChannelTerms t,
      boolean relu) {
    for (int p = 0; p < pixels; p++) {
      for (int c = first(channels); c < channels; c++) {
        float v = x[xAt + p * channels + c];
        if (!relu || Math.fma(v, t.scale[c], t.shift[c]) > 0) {
          float d = dy[dyAt + p * channels + c];
          t.sum[c] += d;
          t.product[c] += d * (v - t.center[c]);
        }
      }
    }
  }

  @Override
  public void affineGradient(
      float[] x,
      int xAt,
      float[] dy,
      int dyAt,
      float[] dx,
      int dxAt,
      int pixels,
      int channels,
      ChannelTerms t,
      boolean relu) {
    for (int p = 0; p < pixels; p++) {
      for (int c = first(channels); c < channels; c++) {
        float v = x[xAt + p * channels + c];
        boolean passes = !relu || Math.fma(v, t.scale[c], t.shift[c]) > 0;
        float d = passes ? dy[dyAt + p * channels + c] : 0f;
        dx[dxAt + p * channels + c] = gradient(v, d, t, c);
      }
    }
  }

  private static float gradient(float x, float d, ChannelTerms t, int c) {
    return Math.fma(t.scale[c], d, Math.fma(t.slope[c], x, t.offset[c]));
  }

  @Override
  public void pooled(
      float[] x,
      int xAt,
      int xStride,
      float[] y,
      int yAt,
      int pixels,
      int channels,
      ChannelTerms t) {
    for (int p = 0; p < pixels; p++) {
      for (int c = first(channels); c < channels; c++) {
        int from = xAt + 2 * p * channels + c;
        int best = largest(x, from, xStride, channels, t, c);
        y[yAt + p * channels + c] = Math.max(0f, Math.fma(x[best], t.scale[c], t.shift[c]));
      }
    }
  }

  /** The index of the first largest of four pixels after the affine map. */
  private static int largest(float[] x, int from, int stride, int channels, ChannelTerms t, int c) {
    int best = from;
    float value = Math.fma(x[from], t.scale[c], t.shift[c]);
    for (int i = 1; i < 4; i++) {
      int at = from + (i >> 1) * stride + (i & 1) * channels;
      float other = Math.fma(x[at], t.scale[c], t.shift[c]);
      if (other > value) {
        value = other;
        best = at;
      }
    }
    return best;
  }

  @Override
  public void pooledSums(
      float[] x,
      int xAt,
      int xStride,
      float[] dy,
      int dyAt,
      int pixels,
      int channels,
      ChannelTerms t) {
    for (int p = 0; p < pixels; p++) {
      for (int c = first(channels); c < channels; c++) {
        int best = largest(x, xAt + 2 * p * channels + c, xStride, channels, t, c);
        if (Math.fma(x[best], t.scale[c], t.shift[c]) > 0) {
          float d = dy[dyAt + p * channels + c];
          t.sum[c] += d;
          t.product[c] += d * (x[best] - t.center[c]);
        }
      }
    }
  }

  @Override
  public void pooledGradient(
      float[] x,
      int xAt,
      int xStride,
      float[] dy,
      int dyAt,
      float[] dx,
      int dxAt,
      int dxStride,
      int pixels,
      int channels,
      ChannelTerms t) {
    for (int p = 0; p < pixels; p++) {
      for (int c = first(channels); c < channels; c++) {
        int from = xAt + 2 * p * channels + c;
        int best = largest(x, from, xStride, channels, t, c);
        boolean passes = Math.fma(x[best], t.scale[c], t.shift[c]) > 0;
        for (int i = 0; i < 4; i++) {
          int at = from + (i >> 1) * xStride + (i & 1) * channels;
          int to = dxAt + 2 * p * channels + c + (i >> 1) * dxStride + (i & 1) * channels;
          float d = passes && at == best ? dy[dyAt + p * channels + c] : 0f;
          dx[to] = gradient(x[at], d, t, c);
        }
      }
    }
  }
}
