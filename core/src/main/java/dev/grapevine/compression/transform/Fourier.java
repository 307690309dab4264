package dev.grapevine.compression.transform;

import dev.grapevine.compression.Transform;
import dev.grapevine.scratch.Scratch;
import dev.grapevine.settings.Kind;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.jtransforms.fft.FloatFFT_1D;
import org.visnow.jlargearrays.ConcurrencyUtils;

/**
 * The discrete Fourier transform of a real vector, as {@code numpy.fft.rfft} scales and orders it:
 * real and imaginary part of frequency 0, of frequency 1, … up to ⌊n/2⌋, that is 2(⌊n/2⌋+1) floats.
 * The imaginary parts of frequency 0 and, for even n, of the last one are zero and the inverse does
 * not look at them. The inverse divides by n.
 *
 * <p>Cost: O(n log n) for every n. Lengths with a large prime factor (that of a GN-LeNet is 2 ·
 * 44,917) go through {@link ChirpFourier}, others through the library.
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

  /** What the library factors into small transforms, at most times a factor below this one. */
  private static final int LARGE_FACTOR = 211;

  /** Factors for the last length seen; reading them is safe for many threads. */
  private volatile @Nullable Plan plan;

  /** One of the two. */
  private record Plan(int length, @Nullable FloatFFT_1D fft, @Nullable ChirpFourier chirp) {

    static Plan of(int length) {
      return isSmooth(length)
          ? new Plan(length, new FloatFFT_1D(length), null)
          : new Plan(length, null, new ChirpFourier(length));
    }

    private static boolean isSmooth(int length) {
      int rest = length;
      for (int factor : new int[] {2, 3, 5}) {
        while (rest % factor == 0) {
          rest /= factor;
        }
      }
      return rest < LARGE_FACTOR;
    }
  }

  @Override
  public int size(int length) {
    return length == 0 ? 0 : 2 * (length / 2 + 1);
  }

  @Override
  public void forward(float[] x, float[] coefficients, Scratch scratch) {
    int n = x.length;
    if (n == 0) {
      return;
    }
    Plan known = plan(n);
    if (known.chirp != null) {
      known.chirp.forward(x, coefficients, scratch);
      return;
    }
    float[] packed = scratch.floats("fourier.packed", n);
    System.arraycopy(x, 0, packed, 0, n);
    Objects.requireNonNull(known.fft).realForward(packed);
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
  }

  @Override
  public void inverse(float[] coefficients, float[] x, Scratch scratch) {
    int n = x.length;
    if (n == 0) {
      return;
    }
    Plan known = plan(n);
    if (known.chirp != null) {
      known.chirp.inverse(coefficients, x, scratch);
      return;
    }
    int last = n / 2;
    float[] packed = scratch.floats("fourier.packed", n);
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
    Objects.requireNonNull(known.fft).realInverse(packed, true);
    System.arraycopy(packed, 0, x, 0, n);
  }

  private Plan plan(int length) {
    Plan known = plan;
    if (known == null || known.length != length) {
      known = Plan.of(length);
      plan = known;
    }
    return known;
  }
}
