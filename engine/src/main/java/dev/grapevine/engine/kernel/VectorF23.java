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

  /** G on columns and rows of a 3×3 kernel, whose taps lie {@code next} floats apart. */
  static void kernel(float[] s, int at, int next, float[] d, int to, int step) {
    FloatVector t0 = FloatVector.fromArray(S, s, at);
    FloatVector t1 = FloatVector.fromArray(S, s, at + next);
    FloatVector t2 = FloatVector.fromArray(S, s, at + 2 * next);
    FloatVector t3 = FloatVector.fromArray(S, s, at + 3 * next);
    FloatVector t4 = FloatVector.fromArray(S, s, at + 4 * next);
    FloatVector t5 = FloatVector.fromArray(S, s, at + 5 * next);
    FloatVector t6 = FloatVector.fromArray(S, s, at + 6 * next);
    FloatVector t7 = FloatVector.fromArray(S, s, at + 7 * next);
    FloatVector t8 = FloatVector.fromArray(S, s, at + 8 * next);
    FloatVector e0 = t6.fma(PLUS_1_2, t0.mul(PLUS_1_2));
    FloatVector o0 = t3.mul(PLUS_1_2);
    FloatVector e1 = t7.fma(PLUS_1_2, t1.mul(PLUS_1_2));
    FloatVector o1 = t4.mul(PLUS_1_2);
    FloatVector e2 = t8.fma(PLUS_1_2, t2.mul(PLUS_1_2));
    FloatVector o2 = t5.mul(PLUS_1_2);
    FloatVector n0 = t0.mul(MINUS_1);
    FloatVector n1 = t1.mul(MINUS_1);
    FloatVector n2 = t2.mul(MINUS_1);
    n0.mul(MINUS_1).intoArray(d, to);
    FloatVector e = n2.fma(PLUS_1_2, n0.mul(PLUS_1_2));
    FloatVector o = n1.mul(PLUS_1_2);
    e.add(o).intoArray(d, to + step);
    e.sub(o).intoArray(d, to + 2 * step);
    n2.intoArray(d, to + 3 * step);
    t0 = e0.add(o0);
    t1 = e1.add(o1);
    t2 = e2.add(o2);
    t0.mul(MINUS_1).intoArray(d, to + 4 * step);
    e = t2.fma(PLUS_1_2, t0.mul(PLUS_1_2));
    o = t1.mul(PLUS_1_2);
    e.add(o).intoArray(d, to + 5 * step);
    e.sub(o).intoArray(d, to + 6 * step);
    t2.intoArray(d, to + 7 * step);
    t0 = e0.sub(o0);
    t1 = e1.sub(o1);
    t2 = e2.sub(o2);
    t0.mul(MINUS_1).intoArray(d, to + 8 * step);
    e = t2.fma(PLUS_1_2, t0.mul(PLUS_1_2));
    o = t1.mul(PLUS_1_2);
    e.add(o).intoArray(d, to + 9 * step);
    e.sub(o).intoArray(d, to + 10 * step);
    t2.intoArray(d, to + 11 * step);
    t6.mul(MINUS_1).intoArray(d, to + 12 * step);
    e = t8.fma(PLUS_1_2, t6.mul(PLUS_1_2));
    o = t7.mul(PLUS_1_2);
    e.add(o).intoArray(d, to + 13 * step);
    e.sub(o).intoArray(d, to + 14 * step);
    t8.intoArray(d, to + 15 * step);
  }

  /** Gᵀ on the points of a 3×3 kernel, which lie {@code stride} apart, to its taps. */
  static void kernelGradient(float[] s, int at, int stride, float[] d, int to, int next) {
    FloatVector u0 = FloatVector.fromArray(S, s, at);
    FloatVector u1 = FloatVector.fromArray(S, s, at + 4 * stride);
    FloatVector u2 = FloatVector.fromArray(S, s, at + 8 * stride);
    FloatVector u3 = FloatVector.fromArray(S, s, at + 12 * stride);
    FloatVector e = u1.add(u2);
    FloatVector x0 = e.mul(PLUS_1_2).sub(u0);
    FloatVector y0 = u1.sub(u2).mul(PLUS_1_2);
    FloatVector z0 = e.fma(PLUS_1_2, u3);
    u0 = FloatVector.fromArray(S, s, at + stride);
    u1 = FloatVector.fromArray(S, s, at + 5 * stride);
    u2 = FloatVector.fromArray(S, s, at + 9 * stride);
    u3 = FloatVector.fromArray(S, s, at + 13 * stride);
    e = u1.add(u2);
    FloatVector x1 = e.mul(PLUS_1_2).sub(u0);
    FloatVector y1 = u1.sub(u2).mul(PLUS_1_2);
    FloatVector z1 = e.fma(PLUS_1_2, u3);
    u0 = FloatVector.fromArray(S, s, at + 2 * stride);
    u1 = FloatVector.fromArray(S, s, at + 6 * stride);
    u2 = FloatVector.fromArray(S, s, at + 10 * stride);
    u3 = FloatVector.fromArray(S, s, at + 14 * stride);
    e = u1.add(u2);
    FloatVector x2 = e.mul(PLUS_1_2).sub(u0);
    FloatVector y2 = u1.sub(u2).mul(PLUS_1_2);
    FloatVector z2 = e.fma(PLUS_1_2, u3);
    u0 = FloatVector.fromArray(S, s, at + 3 * stride);
    u1 = FloatVector.fromArray(S, s, at + 7 * stride);
    u2 = FloatVector.fromArray(S, s, at + 11 * stride);
    u3 = FloatVector.fromArray(S, s, at + 15 * stride);
    e = u1.add(u2);
    FloatVector x3 = e.mul(PLUS_1_2).sub(u0);
    FloatVector y3 = u1.sub(u2).mul(PLUS_1_2);
    FloatVector z3 = e.fma(PLUS_1_2, u3);
    e = x1.add(x2);
    e.mul(PLUS_1_2).sub(x0).intoArray(d, to);
    x1.sub(x2).mul(PLUS_1_2).intoArray(d, to + next);
    e.fma(PLUS_1_2, x3).intoArray(d, to + 2 * next);
    e = y1.add(y2);
    e.mul(PLUS_1_2).sub(y0).intoArray(d, to + 3 * next);
    y1.sub(y2).mul(PLUS_1_2).intoArray(d, to + 4 * next);
    e.fma(PLUS_1_2, y3).intoArray(d, to + 5 * next);
    e = z1.add(z2);
    e.mul(PLUS_1_2).sub(z0).intoArray(d, to + 6 * next);
    z1.sub(z2).mul(PLUS_1_2).intoArray(d, to + 7 * next);
    e.fma(PLUS_1_2, z3).intoArray(d, to + 8 * next);
  }
}
