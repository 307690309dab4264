package dev.grapevine.engine.kernel;

/**
 * One value per channel for each of the quantities that a normalisation works with: its output is
 * {@code scale·x + shift}, its input gradient {@code scale·d + slope·x + offset}, where d is the
 * gradient that arrives.
 */
public final class ChannelTerms {

  final float[] scale;
  final float[] shift;
  final float[] slope;
  final float[] offset;

  /** A value near the channel's values, subtracted before squaring so that no digits are lost. */
  final float[] center;

  /** Σ (x − center), or Σ d. */
  final float[] sum;

  /** Σ (x − center)², or Σ d·(x − center). */
  final float[] product;

  public ChannelTerms(int channels) {
    scale = new float[channels];
    shift = new float[channels];
    slope = new float[channels];
    offset = new float[channels];
    center = new float[channels];
    sum = new float[channels];
    product = new float[channels];
  }

  public float[] scale() {
    return scale;
  }

  public float[] shift() {
    return shift;
  }

  public float[] slope() {
    return slope;
  }

  public float[] offset() {
    return offset;
  }

  public float[] center() {
    return center;
  }

  public float[] sum() {
    return sum;
  }

  public float[] product() {
    return product;
  }
}
