package dev.grapevine.engine.kernel;

import static dev.grapevine.engine.kernel.VectorKernels.S;

import jdk.incubator.vector.FloatVector;

/**
 * One-dimensional transforms of {@link MinimalFiltering#F4_3}, points 0, ±3/2, ±2/3 and infinity,
 * on vectors of channels. Each takes {@code count} columns, {@code next} floats apart, and leaves
 * them {@code nextTo} apart.
 *
 * <p>Written out, with constants in fields and no helper around a load: the compiler keeps vectors
 * in registers only where it inlines every call, and it counts calls.
 */
final class VectorF43 {

  private static final FloatVector MINUS_18_65 = FloatVector.broadcast(S, -18f / 65);
  private static final FloatVector MINUS_27_65 = FloatVector.broadcast(S, -27f / 65);
  private static final FloatVector MINUS_2_3 = FloatVector.broadcast(S, -2f / 3);
  private static final FloatVector MINUS_3_2 = FloatVector.broadcast(S, -3f / 2);
  private static final FloatVector MINUS_4_9 = FloatVector.broadcast(S, -4f / 9);
  private static final FloatVector MINUS_81_130 = FloatVector.broadcast(S, -81f / 130);
  private static final FloatVector MINUS_97_36 = FloatVector.broadcast(S, -97f / 36);
  private static final FloatVector MINUS_9_4 = FloatVector.broadcast(S, -9f / 4);
  private static final FloatVector PLUS_12_65 = FloatVector.broadcast(S, 12f / 65);
  private static final FloatVector PLUS_18_65 = FloatVector.broadcast(S, 18f / 65);
  private static final FloatVector PLUS_27_8 = FloatVector.broadcast(S, 27f / 8);
  private static final FloatVector PLUS_2_3 = FloatVector.broadcast(S, 2f / 3);
  private static final FloatVector PLUS_3_2 = FloatVector.broadcast(S, 3f / 2);
  private static final FloatVector PLUS_4_9 = FloatVector.broadcast(S, 4f / 9);
  private static final FloatVector PLUS_8_27 = FloatVector.broadcast(S, 8f / 27);
  private static final FloatVector PLUS_8_65 = FloatVector.broadcast(S, 8f / 65);
  private static final FloatVector PLUS_9_4 = FloatVector.broadcast(S, 9f / 4);

  private VectorF43() {}

  /** Bᵀ: 6 values to 6 points. */
  static void input(
      float[] s, int at, int stride, int next, int count, float[] d, int to, int step, int nextTo) {
    for (int i = 0; i < count; i++) {
      int from = at + i * next;
      int into = to + i * nextTo;
      FloatVector d0 = FloatVector.fromArray(S, s, from);
      FloatVector d1 = FloatVector.fromArray(S, s, from + stride);
      FloatVector d2 = FloatVector.fromArray(S, s, from + 2 * stride);
      FloatVector d3 = FloatVector.fromArray(S, s, from + 3 * stride);
      FloatVector d4 = FloatVector.fromArray(S, s, from + 4 * stride);
      FloatVector d5 = FloatVector.fromArray(S, s, from + 5 * stride);
      d2.fma(MINUS_97_36, d0.add(d4)).intoArray(d, into);
      FloatVector e0 = d2.fma(MINUS_4_9, d4);
      FloatVector o0 = d1.fma(MINUS_4_9, d3);
      o0.fma(PLUS_3_2, e0).intoArray(d, into + step);
      o0.fma(MINUS_3_2, e0).intoArray(d, into + 2 * step);
      FloatVector e1 = d2.fma(MINUS_9_4, d4);
      FloatVector o1 = d1.fma(MINUS_9_4, d3);
      o1.fma(PLUS_2_3, e1).intoArray(d, into + 3 * step);
      o1.fma(MINUS_2_3, e1).intoArray(d, into + 4 * step);
      d3.fma(MINUS_97_36, d1.add(d5)).intoArray(d, into + 5 * step);
    }
  }

  /** Aᵀ: 6 points to 4 values, which start from {@code start}. */
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
      FloatVector u4 = FloatVector.fromArray(S, s, from + 4 * stride);
      FloatVector u5 = FloatVector.fromArray(S, s, from + 5 * stride);
      FloatVector e0 = u1.add(u2);
      FloatVector o0 = u1.sub(u2);
      FloatVector e1 = u3.add(u4);
      FloatVector o1 = u3.sub(u4);
      e0.add(e1).add(u0).add(b).intoArray(d, into);
      o1.fma(PLUS_2_3, o0.mul(PLUS_3_2)).add(b).intoArray(d, into + step);
      e1.fma(PLUS_4_9, e0.mul(PLUS_9_4)).add(b).intoArray(d, into + 2 * step);
      o1.fma(PLUS_8_27, o0.fma(PLUS_27_8, u5)).add(b).intoArray(d, into + 3 * step);
    }
  }

  /** A: 4 values to 6 points. */
  static void gradient(
      float[] s, int at, int stride, int next, int count, float[] d, int to, int step, int nextTo) {
    for (int i = 0; i < count; i++) {
      int from = at + i * next;
      int into = to + i * nextTo;
      FloatVector w0 = FloatVector.fromArray(S, s, from);
      FloatVector w1 = FloatVector.fromArray(S, s, from + stride);
      FloatVector w2 = FloatVector.fromArray(S, s, from + 2 * stride);
      FloatVector w3 = FloatVector.fromArray(S, s, from + 3 * stride);
      w0.intoArray(d, into);
      FloatVector e0 = w2.fma(PLUS_9_4, w0);
      FloatVector o0 = w3.fma(PLUS_27_8, w1.mul(PLUS_3_2));
      e0.add(o0).intoArray(d, into + step);
      e0.sub(o0).intoArray(d, into + 2 * step);
      FloatVector e1 = w2.fma(PLUS_4_9, w0);
      FloatVector o1 = w3.fma(PLUS_8_27, w1.mul(PLUS_2_3));
      e1.add(o1).intoArray(d, into + 3 * step);
      e1.sub(o1).intoArray(d, into + 4 * step);
      w3.intoArray(d, into + 5 * step);
    }
  }

  /** G: 3 taps to 6 points. */
  static void weights(
      float[] s, int at, int stride, int next, int count, float[] d, int to, int step, int nextTo) {
    for (int i = 0; i < count; i++) {
      int from = at + i * next;
      int into = to + i * nextTo;
      FloatVector w0 = FloatVector.fromArray(S, s, from);
      FloatVector w1 = FloatVector.fromArray(S, s, from + stride);
      FloatVector w2 = FloatVector.fromArray(S, s, from + 2 * stride);
      w0.intoArray(d, into);
      FloatVector e0 = w2.fma(PLUS_18_65, w0.mul(PLUS_8_65));
      FloatVector o0 = w1.mul(PLUS_12_65);
      e0.add(o0).intoArray(d, into + step);
      e0.sub(o0).intoArray(d, into + 2 * step);
      FloatVector e1 = w2.fma(MINUS_18_65, w0.mul(MINUS_81_130));
      FloatVector o1 = w1.mul(MINUS_27_65);
      e1.add(o1).intoArray(d, into + 3 * step);
      e1.sub(o1).intoArray(d, into + 4 * step);
      w2.intoArray(d, into + 5 * step);
    }
  }

  /** Gᵀ: 6 points to 3 taps. */
  static void weightGradient(
      float[] s, int at, int stride, int next, int count, float[] d, int to, int step, int nextTo) {
    for (int i = 0; i < count; i++) {
      int from = at + i * next;
      int into = to + i * nextTo;
      FloatVector u0 = FloatVector.fromArray(S, s, from);
      FloatVector u1 = FloatVector.fromArray(S, s, from + stride);
      FloatVector u2 = FloatVector.fromArray(S, s, from + 2 * stride);
      FloatVector u3 = FloatVector.fromArray(S, s, from + 3 * stride);
      FloatVector u4 = FloatVector.fromArray(S, s, from + 4 * stride);
      FloatVector u5 = FloatVector.fromArray(S, s, from + 5 * stride);
      FloatVector e0 = u1.add(u2);
      FloatVector o0 = u1.sub(u2);
      FloatVector e1 = u3.add(u4);
      FloatVector o1 = u3.sub(u4);
      e1.fma(MINUS_81_130, e0.fma(PLUS_8_65, u0)).intoArray(d, into);
      o1.fma(MINUS_27_65, o0.mul(PLUS_12_65)).intoArray(d, into + step);
      e1.fma(MINUS_18_65, e0.fma(PLUS_18_65, u5)).intoArray(d, into + 2 * step);
    }
  }

  /**
   * G on columns and rows of a 3×3 kernel, whose taps lie {@code next} floats apart. In two halves:
   * the sums of one stay in registers.
   */
  static void kernel(float[] s, int at, int next, float[] d, int to, int step) {
    upperPoints(s, at, next, d, to, step);
    lowerPoints(s, at, next, d, to, step);
  }

  /** The points in rows 0 to 2. */
  private static void upperPoints(float[] s, int at, int next, float[] d, int to, int step) {
    FloatVector t0 = FloatVector.fromArray(S, s, at);
    FloatVector t1 = FloatVector.fromArray(S, s, at + next);
    FloatVector t2 = FloatVector.fromArray(S, s, at + 2 * next);
    FloatVector t3 = FloatVector.fromArray(S, s, at + 3 * next);
    FloatVector t4 = FloatVector.fromArray(S, s, at + 4 * next);
    FloatVector t5 = FloatVector.fromArray(S, s, at + 5 * next);
    FloatVector t6 = FloatVector.fromArray(S, s, at + 6 * next);
    FloatVector t7 = FloatVector.fromArray(S, s, at + 7 * next);
    FloatVector t8 = FloatVector.fromArray(S, s, at + 8 * next);
    t0.intoArray(d, to);
    FloatVector e = t2.fma(PLUS_18_65, t0.mul(PLUS_8_65));
    FloatVector o = t1.mul(PLUS_12_65);
    e.add(o).intoArray(d, to + step);
    e.sub(o).intoArray(d, to + 2 * step);
    e = t2.fma(MINUS_18_65, t0.mul(MINUS_81_130));
    o = t1.mul(MINUS_27_65);
    e.add(o).intoArray(d, to + 3 * step);
    e.sub(o).intoArray(d, to + 4 * step);
    t2.intoArray(d, to + 5 * step);
    FloatVector e0 = t6.fma(PLUS_18_65, t0.mul(PLUS_8_65));
    FloatVector o0 = t3.mul(PLUS_12_65);
    FloatVector e1 = t7.fma(PLUS_18_65, t1.mul(PLUS_8_65));
    FloatVector o1 = t4.mul(PLUS_12_65);
    FloatVector e2 = t8.fma(PLUS_18_65, t2.mul(PLUS_8_65));
    FloatVector o2 = t5.mul(PLUS_12_65);
    t0 = e0.add(o0);
    t1 = e1.add(o1);
    t2 = e2.add(o2);
    t0.intoArray(d, to + 6 * step);
    e = t2.fma(PLUS_18_65, t0.mul(PLUS_8_65));
    o = t1.mul(PLUS_12_65);
    e.add(o).intoArray(d, to + 7 * step);
    e.sub(o).intoArray(d, to + 8 * step);
    e = t2.fma(MINUS_18_65, t0.mul(MINUS_81_130));
    o = t1.mul(MINUS_27_65);
    e.add(o).intoArray(d, to + 9 * step);
    e.sub(o).intoArray(d, to + 10 * step);
    t2.intoArray(d, to + 11 * step);
    t0 = e0.sub(o0);
    t1 = e1.sub(o1);
    t2 = e2.sub(o2);
    t0.intoArray(d, to + 12 * step);
    e = t2.fma(PLUS_18_65, t0.mul(PLUS_8_65));
    o = t1.mul(PLUS_12_65);
    e.add(o).intoArray(d, to + 13 * step);
    e.sub(o).intoArray(d, to + 14 * step);
    e = t2.fma(MINUS_18_65, t0.mul(MINUS_81_130));
    o = t1.mul(MINUS_27_65);
    e.add(o).intoArray(d, to + 15 * step);
    e.sub(o).intoArray(d, to + 16 * step);
    t2.intoArray(d, to + 17 * step);
  }

  /** The points in rows 3 to 5. */
  private static void lowerPoints(float[] s, int at, int next, float[] d, int to, int step) {
    FloatVector t0 = FloatVector.fromArray(S, s, at);
    FloatVector t1 = FloatVector.fromArray(S, s, at + next);
    FloatVector t2 = FloatVector.fromArray(S, s, at + 2 * next);
    FloatVector t3 = FloatVector.fromArray(S, s, at + 3 * next);
    FloatVector t4 = FloatVector.fromArray(S, s, at + 4 * next);
    FloatVector t5 = FloatVector.fromArray(S, s, at + 5 * next);
    FloatVector t6 = FloatVector.fromArray(S, s, at + 6 * next);
    FloatVector t7 = FloatVector.fromArray(S, s, at + 7 * next);
    FloatVector t8 = FloatVector.fromArray(S, s, at + 8 * next);
    t6.intoArray(d, to + 30 * step);
    FloatVector e = t8.fma(PLUS_18_65, t6.mul(PLUS_8_65));
    FloatVector o = t7.mul(PLUS_12_65);
    e.add(o).intoArray(d, to + 31 * step);
    e.sub(o).intoArray(d, to + 32 * step);
    e = t8.fma(MINUS_18_65, t6.mul(MINUS_81_130));
    o = t7.mul(MINUS_27_65);
    e.add(o).intoArray(d, to + 33 * step);
    e.sub(o).intoArray(d, to + 34 * step);
    t8.intoArray(d, to + 35 * step);
    FloatVector e0 = t6.fma(MINUS_18_65, t0.mul(MINUS_81_130));
    FloatVector o0 = t3.mul(MINUS_27_65);
    FloatVector e1 = t7.fma(MINUS_18_65, t1.mul(MINUS_81_130));
    FloatVector o1 = t4.mul(MINUS_27_65);
    FloatVector e2 = t8.fma(MINUS_18_65, t2.mul(MINUS_81_130));
    FloatVector o2 = t5.mul(MINUS_27_65);
    t0 = e0.add(o0);
    t1 = e1.add(o1);
    t2 = e2.add(o2);
    t0.intoArray(d, to + 18 * step);
    e = t2.fma(PLUS_18_65, t0.mul(PLUS_8_65));
    o = t1.mul(PLUS_12_65);
    e.add(o).intoArray(d, to + 19 * step);
    e.sub(o).intoArray(d, to + 20 * step);
    e = t2.fma(MINUS_18_65, t0.mul(MINUS_81_130));
    o = t1.mul(MINUS_27_65);
    e.add(o).intoArray(d, to + 21 * step);
    e.sub(o).intoArray(d, to + 22 * step);
    t2.intoArray(d, to + 23 * step);
    t0 = e0.sub(o0);
    t1 = e1.sub(o1);
    t2 = e2.sub(o2);
    t0.intoArray(d, to + 24 * step);
    e = t2.fma(PLUS_18_65, t0.mul(PLUS_8_65));
    o = t1.mul(PLUS_12_65);
    e.add(o).intoArray(d, to + 25 * step);
    e.sub(o).intoArray(d, to + 26 * step);
    e = t2.fma(MINUS_18_65, t0.mul(MINUS_81_130));
    o = t1.mul(MINUS_27_65);
    e.add(o).intoArray(d, to + 27 * step);
    e.sub(o).intoArray(d, to + 28 * step);
    t2.intoArray(d, to + 29 * step);
  }
}
