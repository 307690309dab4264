package dev.grapevine.engine.kernel;

import static dev.grapevine.engine.kernel.VectorKernels.S;
import static dev.grapevine.engine.kernel.VectorKernels.load;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;

/** Vectors of channels; a channel's terms stay in registers while the pixels of a run pass by. */
final class VectorChannelKernels implements ChannelKernels {

  private static final int LANES = S.length();
  private static final FloatVector ZERO = FloatVector.zero(S);

  private final ScalarChannelKernels rest = new ScalarChannelKernels(LANES);

  @Override
  public void sums(float[] x, int xAt, int pixels, int channels, float[] sum, int sumAt) {
    int whole = S.loopBound(channels);
    for (int c = 0; c < whole; c += LANES) {
      FloatVector total = FloatVector.zero(S);
      for (int p = 0, i = xAt + c; p < pixels; p++, i += channels) {
        total = total.add(load(x, i));
      }
      load(sum, sumAt + c).add(total).intoArray(sum, sumAt + c);
    }
    if (whole < channels) {
      rest.sums(x, xAt, pixels, channels, sum, sumAt);
    }
  }

  @Override
  public void moments(float[] x, int xAt, int pixels, int channels, ChannelTerms t) {
    int whole = S.loopBound(channels);
    for (int c = 0; c < whole; c += LANES) {
      FloatVector center = load(t.center, c);
      FloatVector sum = FloatVector.zero(S);
      FloatVector square = FloatVector.zero(S);
      for (int p = 0, i = xAt + c; p < pixels; p++, i += channels) {
        FloatVector v = load(x, i).sub(center);
        sum = sum.add(v);
        square = v.fma(v, square);
      }
      load(t.sum, c).add(sum).intoArray(t.sum, c);
      load(t.product, c).add(square).intoArray(t.product, c);
    }
    if (whole < channels) {
      rest.moments(x, xAt, pixels, channels, t);
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
    int whole = S.loopBound(channels);
    FloatVector floor = VectorKernels.all(relu ? 0f : Float.NEGATIVE_INFINITY);
    for (int c = 0; c < whole; c += LANES) {
      FloatVector scale = load(t.scale, c);
      FloatVector shift = load(t.shift, c);
      for (int p = 0, i = xAt + c, o = yAt + c; p < pixels; p++, i += channels, o += channels) {
        larger(load(x, i).fma(scale, shift), floor).intoArray(y, o);
      }
    }
    if (whole < channels) {
      rest.affine(x, xAt, y, yAt, pixels, channels, t, relu);
    }
  }

  /** The larger of two, the first if equal. Cheaper than max, which orders NaN and −0. */
  private static FloatVector larger(FloatVector a, FloatVector b) {
    return a.blend(b, b.compare(VectorOperators.GT, a));
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
    int whole = S.loopBound(channels);
    for (int c = 0; c < whole; c += LANES) {
      FloatVector scale = load(t.scale, c);
      FloatVector shift = load(t.shift, c);
      FloatVector center = load(t.center, c);
      FloatVector sum = FloatVector.zero(S);
      FloatVector product = FloatVector.zero(S);
      for (int p = 0, i = xAt + c, o = dyAt + c; p < pixels; p++, i += channels, o += channels) {
        FloatVector v = load(x, i);
        FloatVector d = load(dy, o);
        if (relu) {
          d = ZERO.blend(d, v.fma(scale, shift).compare(VectorOperators.GT, ZERO));
        }
        sum = sum.add(d);
        product = d.fma(v.sub(center), product);
      }
      load(t.sum, c).add(sum).intoArray(t.sum, c);
      load(t.product, c).add(product).intoArray(t.product, c);
    }
    if (whole < channels) {
      rest.affineSums(x, xAt, dy, dyAt, pixels, channels, t, relu);
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
    int whole = S.loopBound(channels);
    for (int c = 0; c < whole; c += LANES) {
      FloatVector scale = load(t.scale, c);
      FloatVector shift = load(t.shift, c);
      FloatVector slope = load(t.slope, c);
      FloatVector offset = load(t.offset, c);
      int q = dxAt + c;
      for (int p = 0, i = xAt + c, o = dyAt + c; p < pixels; p++, i += channels, o += channels) {
        FloatVector v = load(x, i);
        FloatVector d = load(dy, o);
        if (relu) {
          d = ZERO.blend(d, v.fma(scale, shift).compare(VectorOperators.GT, ZERO));
        }
        scale.fma(d, slope.fma(v, offset)).intoArray(dx, q);
        q += channels;
      }
    }
    if (whole < channels) {
      rest.affineGradient(x, xAt, dy, dyAt, dx, dxAt, pixels, channels, t, relu);
    }
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
    int whole = S.loopBound(channels);
    for (int c = 0; c < whole; c += LANES) {
      FloatVector scale = load(t.scale, c);
      FloatVector shift = load(t.shift, c);
      int i = xAt + c;
      int o = yAt + c;
      for (int p = 0; p < pixels; p++) {
        FloatVector top =
            larger(load(x, i).fma(scale, shift), load(x, i + channels).fma(scale, shift));
        FloatVector bottom =
            larger(
                load(x, i + xStride).fma(scale, shift),
                load(x, i + xStride + channels).fma(scale, shift));
        larger(larger(top, bottom), ZERO).intoArray(y, o);
        i += 2 * channels;
        o += channels;
      }
    }
    if (whole < channels) {
      rest.pooled(x, xAt, xStride, y, yAt, pixels, channels, t);
    }
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
    int whole = S.loopBound(channels);
    for (int c = 0; c < whole; c += LANES) {
      FloatVector scale = load(t.scale, c);
      FloatVector shift = load(t.shift, c);
      FloatVector center = load(t.center, c);
      FloatVector sum = FloatVector.zero(S);
      FloatVector product = FloatVector.zero(S);
      int i = xAt + c;
      int o = dyAt + c;
      for (int p = 0; p < pixels; p++) {
        FloatVector best = load(x, i);
        FloatVector value = best.fma(scale, shift);
        FloatVector x1 = load(x, i + channels);
        FloatVector v1 = x1.fma(scale, shift);
        VectorMask<Float> wins = v1.compare(VectorOperators.GT, value);
        best = best.blend(x1, wins);
        value = value.blend(v1, wins);
        FloatVector x2 = load(x, i + xStride);
        FloatVector v2 = x2.fma(scale, shift);
        wins = v2.compare(VectorOperators.GT, value);
        best = best.blend(x2, wins);
        value = value.blend(v2, wins);
        FloatVector x3 = load(x, i + xStride + channels);
        FloatVector v3 = x3.fma(scale, shift);
        wins = v3.compare(VectorOperators.GT, value);
        best = best.blend(x3, wins);
        value = value.blend(v3, wins);
        FloatVector d = ZERO.blend(load(dy, o), value.compare(VectorOperators.GT, ZERO));
        sum = sum.add(d);
        product = d.fma(best.sub(center), product);
        i += 2 * channels;
        o += channels;
      }
      load(t.sum, c).add(sum).intoArray(t.sum, c);
      load(t.product, c).add(product).intoArray(t.product, c);
    }
    if (whole < channels) {
      rest.pooledSums(x, xAt, xStride, dy, dyAt, pixels, channels, t);
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
    int whole = S.loopBound(channels);
    for (int c = 0; c < whole; c += LANES) {
      FloatVector scale = load(t.scale, c);
      FloatVector shift = load(t.shift, c);
      FloatVector slope = load(t.slope, c);
      FloatVector offset = load(t.offset, c);
      int i = xAt + c;
      int o = dyAt + c;
      int q = dxAt + c;
      for (int p = 0; p < pixels; p++) {
        FloatVector x0 = load(x, i);
        FloatVector x1 = load(x, i + channels);
        FloatVector x2 = load(x, i + xStride);
        FloatVector x3 = load(x, i + xStride + channels);
        FloatVector v0 = x0.fma(scale, shift);
        FloatVector v1 = x1.fma(scale, shift);
        FloatVector v2 = x2.fma(scale, shift);
        FloatVector best = larger(larger(v0, v1), larger(v2, x3.fma(scale, shift)));
        FloatVector d = ZERO.blend(load(dy, o), best.compare(VectorOperators.GT, ZERO)).mul(scale);
        VectorMask<Float> here = v0.compare(VectorOperators.EQ, best);
        slope.fma(x0, offset).add(ZERO.blend(d, here)).intoArray(dx, q);
        d = d.blend(ZERO, here);
        here = v1.compare(VectorOperators.EQ, best);
        slope.fma(x1, offset).add(ZERO.blend(d, here)).intoArray(dx, q + channels);
        d = d.blend(ZERO, here);
        here = v2.compare(VectorOperators.EQ, best);
        slope.fma(x2, offset).add(ZERO.blend(d, here)).intoArray(dx, q + dxStride);
        d = d.blend(ZERO, here);
        slope.fma(x3, offset).add(d).intoArray(dx, q + dxStride + channels);
        i += 2 * channels;
        o += channels;
        q += 2 * channels;
      }
    }
    if (whole < channels) {
      rest.pooledGradient(x, xAt, xStride, dy, dyAt, dx, dxAt, dxStride, pixels, channels, t);
    }
  }
}
