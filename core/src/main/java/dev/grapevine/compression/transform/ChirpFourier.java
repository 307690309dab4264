package dev.grapevine.compression.transform;

import dev.grapevine.scratch.Scratch;

/**
 * The real transform of lengths with a large prime factor, in {@link Fourier}'s order. Of an even
 * length, even and odd values go through one complex transform of half the length, as its real and
 * imaginary parts.
 */
final class ChirpFourier {

  private final int length;
  private final boolean even;
  private final int complexLength;
  private final ChirpTransform complex;

  /** e^{−2πik/n}, only for even lengths. */
  private final float[] twiddles;

  ChirpFourier(int length) {
    this.length = length;
    this.even = length % 2 == 0;
    this.complexLength = even ? length / 2 : length;
    this.complex = new ChirpTransform(complexLength);
    this.twiddles = new float[even ? length + 2 : 0];
    for (int k = 0; k < twiddles.length; k += 2) {
      double angle = Math.PI * k / length;
      twiddles[k] = (float) Math.cos(angle);
      twiddles[k + 1] = (float) -Math.sin(angle);
    }
  }

  void forward(float[] x, float[] coefficients, Scratch scratch) {
    float[] z = scratch.floats("fourier.complex", 2 * complexLength);
    if (even) {
      System.arraycopy(x, 0, z, 0, length);
      complex.forward(z, scratch);
      split(z, coefficients);
    } else {
      for (int i = 0; i < length; i++) {
        z[2 * i] = x[i];
        z[2 * i + 1] = 0;
      }
      complex.forward(z, scratch);
      System.arraycopy(z, 0, coefficients, 0, length + 1);
      coefficients[1] = 0;
    }
  }

  /** X_k = E_k + e^{−2πik/n} O_k, where Z_k = E_k + i·O_k. */
  private void split(float[] z, float[] coefficients) {
    int half = complexLength;
    for (int k = 0; k <= half; k++) {
      int at = 2 * (k % half);
      int mirror = 2 * ((half - k) % half);
      float evenReal = 0.5f * (z[at] + z[mirror]);
      float evenImaginary = 0.5f * (z[at + 1] - z[mirror + 1]);
      float oddReal = 0.5f * (z[at + 1] + z[mirror + 1]);
      float oddImaginary = -0.5f * (z[at] - z[mirror]);
      float cos = twiddles[2 * k];
      float sin = twiddles[2 * k + 1];
      coefficients[2 * k] = evenReal + cos * oddReal - sin * oddImaginary;
      coefficients[2 * k + 1] = evenImaginary + cos * oddImaginary + sin * oddReal;
    }
    coefficients[1] = 0;
    coefficients[2 * half + 1] = 0;
  }

  /** The inverse is the conjugate of the transform of the conjugate, divided by the length. */
  void inverse(float[] coefficients, float[] x, Scratch scratch) {
    float[] z = scratch.floats("fourier.complex", 2 * complexLength);
    float scale = 1f / complexLength;
    if (even) {
      join(coefficients, z);
      complex.forward(z, scratch);
      for (int i = 0; i < length; i += 2) {
        x[i] = z[i] * scale;
        x[i + 1] = -z[i + 1] * scale;
      }
    } else {
      z[0] = coefficients[0];
      z[1] = 0;
      for (int k = 1; k <= length / 2; k++) {
        int mirror = 2 * (length - k);
        z[2 * k] = z[mirror] = coefficients[2 * k];
        z[mirror + 1] = coefficients[2 * k + 1];
        z[2 * k + 1] = -z[mirror + 1];
      }
      complex.forward(z, scratch);
      for (int i = 0; i < length; i++) {
        x[i] = z[2 * i] * scale;
      }
    }
  }

  /** The conjugate of Z_k = E_k + i·O_k. */
  private void join(float[] coefficients, float[] z) {
    int half = complexLength;
    for (int k = 0; k < half; k++) {
      int at = 2 * k;
      int mirror = 2 * (half - k);
      float imaginary = k == 0 ? 0 : coefficients[at + 1];
      float mirrorImaginary = k == 0 ? 0 : coefficients[mirror + 1];
      float evenReal = 0.5f * (coefficients[at] + coefficients[mirror]);
      float evenImaginary = 0.5f * (imaginary - mirrorImaginary);
      float differenceReal = 0.5f * (coefficients[at] - coefficients[mirror]);
      float differenceImaginary = 0.5f * (imaginary + mirrorImaginary);
      float cos = twiddles[at];
      float sin = -twiddles[at + 1];
      float oddReal = cos * differenceReal - sin * differenceImaginary;
      float oddImaginary = cos * differenceImaginary + sin * differenceReal;
      z[at] = evenReal - oddImaginary;
      z[at + 1] = -(evenImaginary + oddReal);
    }
  }
}
