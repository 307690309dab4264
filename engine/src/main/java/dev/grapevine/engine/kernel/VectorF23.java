package dev.grapevine.engine.kernel;

import static dev.grapevine.engine.kernel.VectorKernels.S;

import jdk.incubator.vector.FloatVector;

/**
 * One-dimensional transforms of {@link MinimalFiltering#F2_3}, points 0, ±1 and infinity, on
 * vectors of channels. Each takes {@code count} columns, {@code next} floats apart, and leaves them
 * {@code nextTo} apart.
 *
 * <p>Written out, with constants in fields and no helper around a load: the compiler keeps vectors
 * in registers only where it inlines every call, and it counts calls.
 */
final class VectorF23 {

  private static final FloatVector MINUS_1 = FloatVector.broadcast(S, -1f);
  private static final FloatVector PLUS_1_2 = FloatVector.broadcast(S, 1f / 2);

  private VectorF23() {}

  /** Bᵀ: 4 values to 4 points. */
  static void input(
      float[] s, int at, int stride, int next, int count, float[] d, int to, int step, int nextTo) {
    for (int i = 0; i < count; i++) {
      int from = at + i * next;
      int into = to + i * nextTo;
      FloatVector d0 = FloatVector.fromArray(S, s, from);
      FloatVector d1 = FloatVector.fromArray(S, s, from + stride);
      FloatVector d2 = FloatVector.fromArray(S, s, from + 2 * stride);
      FloatVector d3 = FloatVector.fromArray(S, s, from + 3 * stride);
      d2.sub(d0).intoArray(d, into);
      FloatVector e0 = d2;
      FloatVector o0 = d1;
      e0.add(o0).intoArray(d, into + step);
      e0.sub(o0).intoArray(d, into + 2 * step);
      d3.sub(d1).intoArray(d, into + 3 * step);
    }
  }

  /** Aᵀ: 4 points to 2 values, which start from {@code start}. */
  static void output(
      float[] s,
      int at,
      int stride,
      int next,
      int count,
      float[] d,
      int to,
      int step,
      int nextTo,
      float[] start,
      int startAt) {
    FloatVector b = FloatVector.fromArray(S, start, startAt);
    for (int i = 0; i < count; i++) {
      int from = at + i * next;
      int into = to + i * nextTo;
      FloatVector u0 = FloatVector.fromArray(S, s, from);
      FloatVector u1 = FloatVector.fromArray(S, s, from + stride);
      FloatVector u2 = FloatVector.fromArray(S, s, from + 2 * stride);
      FloatVector u3 = FloatVector.fromArray(S, s, from + 3 * stride);
      FloatVector e0 = u1.add(u2);
      FloatVector o0 = u1.sub(u2);
      e0.add(u0).add(b).intoArray(d, into);
      o0.add(u3).add(b).intoArray(d, into + step);
    }
  }

  /** A: 2 values to 4 points. */
  static void gradient(
      float[] s, int at, int stride, int next, int count, float[] d, int to, int step, int nextTo) {
    for (int i = 0; i < count; i++) {
      int from = at + i * next;
      int into = to + i * nextTo;
      FloatVector w0 = FloatVector.fromArray(S, s, from);
      FloatVector w1 = FloatVector.fromArray(S, s, from + stride);
      w0.intoArray(d, into);
      FloatVector e0 = w0;
      FloatVector o0 = w1;
      e0.add(o0).intoArray(d, into + step);
      e0.sub(o0).intoArray(d, into + 2 * step);
      w1.intoArray(d, into + 3 * step);
    }
  }

  /** G: 3 taps to 4 points. */
  static void weights(
      float[] s, int at, int stride, int next, int count, float[] d, int to, int step, int nextTo) {
    for (int i = 0; i < count; i++) {
      int from = at + i * next;
      int into = to + i * nextTo;
      FloatVector w0 = FloatVector.fromArray(S, s, from);
      FloatVector w1 = FloatVector.fromArray(S, s, from + stride);
      FloatVector w2 = FloatVector.fromArray(S, s, from + 2 * stride);
      w0.mul(MINUS_1).intoArray(d, into);
      FloatVector e0 = w2.fma(PLUS_1_2, w0.mul(PLUS_1_2));
      FloatVector o0 = w1.mul(PLUS_1_2);
      e0.add(o0).intoArray(d, into + step);
      e0.sub(o0).intoArray(d, into + 2 * step);
      w2.intoArray(d, into + 3 * step);
    }
  }

  /** Gᵀ: 4 points to 3 taps. */
  static void weightGradient(
      float[] s, int at, int stride, int next, int count, float[] d, int to, int step, int nextTo) {
    for (int i = 0; i < count; i++) {
      int from = at + i * next;
      int into = to + i * nextTo;
      FloatVector u0 = FloatVector.fromArray(S, s, from);
      FloatVector u1 = FloatVector.fromArray(S, s, from + stride);
      FloatVector u2 = FloatVector.fromArray(S, s, from + 2 * stride);
      FloatVector u3 = FloatVector.fromArray(S, s, from + 3 * stride);
      FloatVector e0 = u1.add(u2);
      FloatVector o0 = u1.sub(u2);
      e0.mul(PLUS_1_2).sub(u0).intoArray(d, into);
      o0.mul(PLUS_1_2).intoArray(d, into + step);
      e0.fma(PLUS_1_2, u3).intoArray(d, into + 2 * step);
    }
  }
}
