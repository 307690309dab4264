package dev.grapevine.compression.transform;

import dev.grapevine.compression.Scratch;
import dev.grapevine.compression.Transform;
import dev.grapevine.settings.Kind;
import org.jspecify.annotations.Nullable;
import org.jtransforms.fft.FloatFFT_1D;
import org.visnow.jlargearrays.ConcurrencyUtils;

/**
 * The discrete Fourier transform of a real vector, as {@code numpy.fft.rfft} scales and orders it:
 * real and imaginary part of frequency 0, of frequency 1, … up to ⌊n/2⌋, that is 2(⌊n/2⌋+1) floats.
 * The imaginary parts of frequency 0 and, for even n, of the last one are zero and the inverse does
 * not look at them. The inverse divides by n.
 *
 * <p>Cost: O(n log n) for every n. For lengths that are not a power of two the library makes a work
 * array at each call.
 */
@Kind(
    name = "fourier",
    summary = "the real discrete Fourier transform",
    paper =
        "J. Cooley, J. Tukey, An algorithm for the machine calculation of complex Fourier"
            + " series, 1965")
public final class Fourier implements Transform {

  static {
    // The nodes already keep every core busy, and one thread gives the same bits everywhere.
    ConcurrencyUtils.setNumberOfThreads(1);
  }

  /** Twiddle factors for the last length seen; reading them is safe for many threads. */
  private volatile @Nullable Plan plan;

  private record Plan(int length, FloatFFT_1D fft) {}

  @Override
  public int size(int length) {
    return length == 0 ? 0 : 2 * (length / 2 + 1);
  }

  @Override
  public void forward(float[] x, float[] coefficients) {
    int n = x.length;
    if (n == 0) {
      return;
    }
    float[] packed = Scratch.floats(n);
    System.arraycopy(x, 0, packed, 0, n);
    fft(n).realForward(packed);
    // Packed: even n has (re₀, re_{n/2}, re₁, im₁, …), odd n (re₀, im_{(n-1)/2}, re₁, im₁, …,
    // re_{(n-1)/2}).
    coefficients[0] = packed[0];
    coefficients[1] = 0;
    int last = n / 2;
    for (int k = 2; k < 2 * last; k++) {
      coefficients[k] = packed[k];
    }
    if (n > 1) {
      boolean even = n % 2 == 0;
      coefficients[2 * last] = even ? packed[1] : packed[n - 1];
      coefficients[2 * last + 1] = even ? 0 : packed[1];
    }
    Scratch.giveBack(packed);
  }

  @Override
  public void inverse(float[] coefficients, float[] x) {
    int n = x.length;
    if (n == 0) {
      return;
    }
    int last = n / 2;
    float[] packed = Scratch.floats(n);
    packed[0] = coefficients[0];
    for (int k = 2; k < 2 * last; k++) {
      packed[k] = coefficients[k];
    }
    if (n > 1) {
      boolean even = n % 2 == 0;
      packed[1] = even ? coefficients[2 * last] : coefficients[2 * last + 1];
      if (!even) {
        packed[n - 1] = coefficients[2 * last];
      }
    }
    fft(n).realInverse(packed, true);
    System.arraycopy(packed, 0, x, 0, n);
    Scratch.giveBack(packed);
  }

  private FloatFFT_1D fft(int length) {
    Plan known = plan;
    if (known == null || known.length != length) {
      known = new Plan(length, new FloatFFT_1D(length));
      plan = known;
    }
    return known.fft;
  }
}
