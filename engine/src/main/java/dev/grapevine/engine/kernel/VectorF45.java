package dev.grapevine.engine.kernel;

import static dev.grapevine.engine.kernel.VectorKernels.S;

import jdk.incubator.vector.FloatVector;

/**
 * One-dimensional transforms of {@link MinimalFiltering#F4_5}, points 0, ±1, ±2, ±1/2 and infinity,
 * on vectors of channels. Each takes {@code count} columns, {@code next} floats apart, and leaves
 * them {@code nextTo} apart.
 *
 * <p>Written out, with constants in fields and no helper around a load: the compiler keeps vectors
 * in registers only where it inlines every call, and it counts calls.
 */
final class VectorF45 {

  private static final FloatVector MINUS_1 = FloatVector.broadcast(S, -1f);
  private static final FloatVector MINUS_17_4 = FloatVector.broadcast(S, -17f / 4);
  private static final FloatVector MINUS_1_2 = FloatVector.broadcast(S, -1f / 2);
  private static final FloatVector MINUS_2 = FloatVector.broadcast(S, -2f);
  private static final FloatVector MINUS_21_4 = FloatVector.broadcast(S, -21f / 4);
  private static final FloatVector MINUS_2_9 = FloatVector.broadcast(S, -2f / 9);
  private static final FloatVector MINUS_5 = FloatVector.broadcast(S, -5f);
  private static final FloatVector MINUS_5_4 = FloatVector.broadcast(S, -5f / 4);
  private static final FloatVector PLUS_16_45 = FloatVector.broadcast(S, 16f / 45);
  private static final FloatVector PLUS_1_2 = FloatVector.broadcast(S, 1f / 2);
  private static final FloatVector PLUS_1_4 = FloatVector.broadcast(S, 1f / 4);
  private static final FloatVector PLUS_1_45 = FloatVector.broadcast(S, 1f / 45);
  private static final FloatVector PLUS_1_8 = FloatVector.broadcast(S, 1f / 8);
  private static final FloatVector PLUS_1_90 = FloatVector.broadcast(S, 1f / 90);
  private static final FloatVector PLUS_2 = FloatVector.broadcast(S, 2f);
  private static final FloatVector PLUS_21_4 = FloatVector.broadcast(S, 21f / 4);
  private static final FloatVector PLUS_2_45 = FloatVector.broadcast(S, 2f / 45);
  private static final FloatVector PLUS_32_45 = FloatVector.broadcast(S, 32f / 45);
  private static final FloatVector PLUS_4 = FloatVector.broadcast(S, 4f);
  private static final FloatVector PLUS_4_45 = FloatVector.broadcast(S, 4f / 45);
  private static final FloatVector PLUS_8 = FloatVector.broadcast(S, 8f);
  private static final FloatVector PLUS_8_45 = FloatVector.broadcast(S, 8f / 45);

  private VectorF45() {}

  /** Bᵀ: 8 values to 8 points. */
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
      FloatVector d6 = FloatVector.fromArray(S, s, from + 6 * stride);
      FloatVector d7 = FloatVector.fromArray(S, s, from + 7 * stride);
      d4.fma(MINUS_21_4, d2.fma(PLUS_21_4, d6.sub(d0))).intoArray(d, into);
      FloatVector e0 = d4.fma(MINUS_17_4, d2.add(d6));
      FloatVector o0 = d3.fma(MINUS_17_4, d1.add(d5));
      e0.add(o0).intoArray(d, into + step);
      e0.sub(o0).intoArray(d, into + 2 * step);
      FloatVector e1 = d4.fma(MINUS_5_4, d2.fma(PLUS_1_4, d6));
      FloatVector o1 = d3.fma(MINUS_5_4, d1.fma(PLUS_1_4, d5));
      o1.fma(PLUS_2, e1).intoArray(d, into + 3 * step);
      o1.fma(MINUS_2, e1).intoArray(d, into + 4 * step);
      FloatVector e2 = d4.fma(MINUS_5, d2.fma(PLUS_4, d6));
      FloatVector o2 = d3.fma(MINUS_5, d1.fma(PLUS_4, d5));
      o2.fma(PLUS_1_2, e2).intoArray(d, into + 5 * step);
      o2.fma(MINUS_1_2, e2).intoArray(d, into + 6 * step);
      d5.fma(MINUS_21_4, d3.fma(PLUS_21_4, d7.sub(d1))).intoArray(d, into + 7 * step);
    }
  }

  /** Aᵀ: 8 points to 4 values, which start from {@code start}. */
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
      FloatVector u6 = FloatVector.fromArray(S, s, from + 6 * stride);
      FloatVector u7 = FloatVector.fromArray(S, s, from + 7 * stride);
      FloatVector e0 = u1.add(u2);
      FloatVector o0 = u1.sub(u2);
      FloatVector e1 = u3.add(u4);
      FloatVector o1 = u3.sub(u4);
      FloatVector e2 = u5.add(u6);
      FloatVector o2 = u5.sub(u6);
      e0.add(e1).add(e2).add(u0).add(b).intoArray(d, into);
      o2.fma(PLUS_1_2, o1.fma(PLUS_2, o0)).add(b).intoArray(d, into + step);
      e2.fma(PLUS_1_4, e1.fma(PLUS_4, e0)).add(b).intoArray(d, into + 2 * step);
      o2.fma(PLUS_1_8, o1.fma(PLUS_8, o0.add(u7))).add(b).intoArray(d, into + 3 * step);
    }
  }

  /** A: 4 values to 8 points. */
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
      FloatVector e0 = w0.add(w2);
      FloatVector o0 = w1.add(w3);
      e0.add(o0).intoArray(d, into + step);
      e0.sub(o0).intoArray(d, into + 2 * step);
      FloatVector e1 = w2.fma(PLUS_4, w0);
      FloatVector o1 = w3.fma(PLUS_8, w1.mul(PLUS_2));
      e1.add(o1).intoArray(d, into + 3 * step);
      e1.sub(o1).intoArray(d, into + 4 * step);
      FloatVector e2 = w2.fma(PLUS_1_4, w0);
      FloatVector o2 = w3.fma(PLUS_1_8, w1.mul(PLUS_1_2));
      e2.add(o2).intoArray(d, into + 5 * step);
      e2.sub(o2).intoArray(d, into + 6 * step);
      w3.intoArray(d, into + 7 * step);
    }
  }

  /** G: 5 taps to 8 points. */
  static void weights(
      float[] s, int at, int stride, int next, int count, float[] d, int to, int step, int nextTo) {
    for (int i = 0; i < count; i++) {
      int from = at + i * next;
      int into = to + i * nextTo;
      FloatVector w0 = FloatVector.fromArray(S, s, from);
      FloatVector w1 = FloatVector.fromArray(S, s, from + stride);
      FloatVector w2 = FloatVector.fromArray(S, s, from + 2 * stride);
      FloatVector w3 = FloatVector.fromArray(S, s, from + 3 * stride);
      FloatVector w4 = FloatVector.fromArray(S, s, from + 4 * stride);
      w0.mul(MINUS_1).intoArray(d, into);
      FloatVector e0 = w4.fma(MINUS_2_9, w2.fma(MINUS_2_9, w0.mul(MINUS_2_9)));
      FloatVector o0 = w3.fma(MINUS_2_9, w1.mul(MINUS_2_9));
      e0.add(o0).intoArray(d, into + step);
      e0.sub(o0).intoArray(d, into + 2 * step);
      FloatVector e1 = w4.fma(PLUS_8_45, w2.fma(PLUS_2_45, w0.mul(PLUS_1_90)));
      FloatVector o1 = w3.fma(PLUS_4_45, w1.mul(PLUS_1_45));
      e1.add(o1).intoArray(d, into + 3 * step);
      e1.sub(o1).intoArray(d, into + 4 * step);
      FloatVector e2 = w4.fma(PLUS_2_45, w2.fma(PLUS_8_45, w0.mul(PLUS_32_45)));
      FloatVector o2 = w3.fma(PLUS_4_45, w1.mul(PLUS_16_45));
      e2.add(o2).intoArray(d, into + 5 * step);
      e2.sub(o2).intoArray(d, into + 6 * step);
      w4.intoArray(d, into + 7 * step);
    }
  }

  /** Gᵀ: 8 points to 5 taps. */
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
      FloatVector u6 = FloatVector.fromArray(S, s, from + 6 * stride);
      FloatVector u7 = FloatVector.fromArray(S, s, from + 7 * stride);
      FloatVector e0 = u1.add(u2);
      FloatVector o0 = u1.sub(u2);
      FloatVector e1 = u3.add(u4);
      FloatVector o1 = u3.sub(u4);
      FloatVector e2 = u5.add(u6);
      FloatVector o2 = u5.sub(u6);
      e2.fma(PLUS_32_45, e1.fma(PLUS_1_90, e0.mul(MINUS_2_9))).sub(u0).intoArray(d, into);
      o2.fma(PLUS_16_45, o1.fma(PLUS_1_45, o0.mul(MINUS_2_9))).intoArray(d, into + step);
      e2.fma(PLUS_8_45, e1.fma(PLUS_2_45, e0.mul(MINUS_2_9))).intoArray(d, into + 2 * step);
      o2.fma(PLUS_4_45, o1.fma(PLUS_4_45, o0.mul(MINUS_2_9))).intoArray(d, into + 3 * step);
      e2.fma(PLUS_2_45, e1.fma(PLUS_8_45, e0.fma(MINUS_2_9, u7))).intoArray(d, into + 4 * step);
    }
  }
}
