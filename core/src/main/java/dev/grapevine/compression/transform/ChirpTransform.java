package dev.grapevine.compression.transform;

import dev.grapevine.scratch.Scratch;
import java.util.Arrays;
import org.jtransforms.fft.FloatFFT_1D;

/**
 * The complex discrete Fourier transform of any length as a convolution with a chirp, which two
 * transforms of a power of two compute: jk = (j² + k² − (k−j)²) / 2. Values alternate between real
 * and imaginary parts.
 *
 * <p>L. Bluestein, A linear filtering approach to the computation of discrete Fourier transform,
 * 1970. Angles are reduced exactly before they are rounded, so that the error stays that of the
 * transforms of a power of two. Cost: O(n log n) for every n, also a prime.
 */
final class ChirpTransform {

  private final int length;
  private final int padded;
  private final FloatFFT_1D fft;

  /** e^{−πik²/n}. */
  private final float[] chirp;

  /** The transform of the conjugate chirp, wrapped round. */
  private final float[] filter;

  ChirpTransform(int length) {
    this.length = length;
    this.padded = Math.max(1, Integer.highestOneBit(4 * length - 3));
    this.fft = new FloatFFT_1D(padded);
    this.chirp = new float[2 * length];
    this.filter = new float[2 * padded];
    for (int k = 0; k < length; k++) {
      double angle = Math.PI * ((long) k * k % (2L * length)) / length;
      chirp[2 * k] = (float) Math.cos(angle);
      chirp[2 * k + 1] = (float) -Math.sin(angle);
      int mirrored = (padded - k) % padded;
      filter[2 * k] = filter[2 * mirrored] = chirp[2 * k];
      filter[2 * k + 1] = filter[2 * mirrored + 1] = -chirp[2 * k + 1];
    }
    fft.complexForward(filter);
  }

  /** In place, on the first {@code 2 · length} values. */
  void forward(float[] values, Scratch scratch) {
    float[] a = scratch.floats("fourier.padded", 2 * padded);
    multiply(values, chirp, a, length);
    Arrays.fill(a, 2 * length, 2 * padded, 0f);
    fft.complexForward(a);
    multiply(a, filter, a, padded);
    fft.complexInverse(a, true);
    multiply(a, chirp, values, length);
  }

  private static void multiply(float[] x, float[] y, float[] product, int count) {
    for (int i = 0; i < 2 * count; i += 2) {
      float real = x[i] * y[i] - x[i + 1] * y[i + 1];
      float imaginary = x[i] * y[i + 1] + x[i + 1] * y[i];
      product[i] = real;
      product[i + 1] = imaginary;
    }
  }
}
