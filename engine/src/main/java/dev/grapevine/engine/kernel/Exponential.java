package dev.grapevine.engine.kernel;

import static dev.grapevine.engine.kernel.VectorKernels.all;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;

/**
 * exp in single precision: x = n·ln 2 + r, exp(x) = 2^n · p(r), where p is the polynomial of the
 * Cephes library. Relative error about 1e-7; arguments beyond ±87 are clamped.
 */
final class Exponential {

  private static final float LOG2_E = 1.44269504f;

  /** Adding it rounds a float to a whole number and leaves that number in its low bits. */
  private static final float ROUNDER = 12582912f;

  private static final float LN2_HIGH = 0.693359375f;
  private static final float LN2_LOW = -2.12194440e-4f;

  private Exponential() {}

  static FloatVector of(FloatVector argument) {
    FloatVector x = argument.blend(-87f, argument.compare(VectorOperators.LT, -87f));
    x = x.blend(87f, x.compare(VectorOperators.GT, 87f));
    FloatVector rounded = x.fma(all(LOG2_E), all(ROUNDER));
    FloatVector n = rounded.sub(ROUNDER);
    FloatVector r = n.fma(all(-LN2_HIGH), x);
    r = n.fma(all(-LN2_LOW), r);
    FloatVector p = r.fma(all(1.9875691500e-4f), all(1.3981999507e-3f));
    p = p.fma(r, all(8.3334519073e-3f));
    p = p.fma(r, all(4.1665795894e-2f));
    p = p.fma(r, all(1.6666665459e-1f));
    p = p.fma(r, all(5.0000001201e-1f));
    p = p.fma(r.mul(r), r).add(1f);
    return p.reinterpretAsInts()
        .add(rounded.reinterpretAsInts().lanewise(VectorOperators.LSHL, 23))
        .reinterpretAsFloats();
  }
}
