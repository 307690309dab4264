package dev.grapevine.engine.kernel;

import static dev.grapevine.engine.kernel.VectorKernels.S;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorShuffle;

/**
 * Between 3×3 kernels that lie one after the other, nine taps each, and nine vectors of one tap of
 * many kernels. As many kernels as a vector has lanes are nine vectors, read and written in one
 * stretch of memory; a transposition of squares would move sixteen columns to keep nine.
 *
 * <p>Nine and the number of lanes L have no common divisor, so the values of tap j lie in different
 * lanes. With the vectors numbered r(i) = i/L modulo 9, lane p of tap j is lane p of r(j − p): all
 * nine come from turning the nine vectors by p in every lane, one binary digit of p after the other
 * (a barrel shifter), and one permutation each.
 */
final class VectorNines {

  private static final int LANES = S.length();

  /** How far apart in memory r(i) and r(i + 1) are, modulo nine vectors. */
  private static final int STEP = inverse(LANES, 9);

  private static final int R1 = place(1);
  private static final int R2 = place(2);
  private static final int R3 = place(3);
  private static final int R4 = place(4);
  private static final int R5 = place(5);
  private static final int R6 = place(6);
  private static final int R7 = place(7);
  private static final int R8 = place(8);
  private static final VectorMask<Float> BY_1 = lanes(1);
  private static final VectorMask<Float> BY_2 = lanes(2);
  private static final VectorMask<Float> BY_4 = lanes(4);
  private static final VectorMask<Float> BY_8 = lanes(8);
  private static final VectorShuffle<Float> TAP_0 = toTap(0);
  private static final VectorShuffle<Float> TAP_1 = toTap(1);
  private static final VectorShuffle<Float> TAP_2 = toTap(2);
  private static final VectorShuffle<Float> TAP_3 = toTap(3);
  private static final VectorShuffle<Float> TAP_4 = toTap(4);
  private static final VectorShuffle<Float> TAP_5 = toTap(5);
  private static final VectorShuffle<Float> TAP_6 = toTap(6);
  private static final VectorShuffle<Float> TAP_7 = toTap(7);
  private static final VectorShuffle<Float> TAP_8 = toTap(8);
  private static final VectorShuffle<Float> FROM_0 = fromTap(0);
  private static final VectorShuffle<Float> FROM_1 = fromTap(1);
  private static final VectorShuffle<Float> FROM_2 = fromTap(2);
  private static final VectorShuffle<Float> FROM_3 = fromTap(3);
  private static final VectorShuffle<Float> FROM_4 = fromTap(4);
  private static final VectorShuffle<Float> FROM_5 = fromTap(5);
  private static final VectorShuffle<Float> FROM_6 = fromTap(6);
  private static final VectorShuffle<Float> FROM_7 = fromTap(7);
  private static final VectorShuffle<Float> FROM_8 = fromTap(8);

  private VectorNines() {}

  private static int inverse(int value, int modulus) {
    int inverse = 1;
    while (value * inverse % modulus != 1) {
      inverse++;
    }
    return inverse;
  }

  private static int place(int i) {
    return STEP * i % 9 * LANES;
  }

  /** Lanes whose turn has this binary digit. */
  private static VectorMask<Float> lanes(int digit) {
    boolean[] lanes = new boolean[LANES];
    for (int p = 0; p < LANES; p++) {
      lanes[p] = (p % 9 & digit) != 0;
    }
    return VectorMask.fromArray(S, lanes, 0);
  }

  private static VectorShuffle<Float> toTap(int tap) {
    return VectorShuffle.fromOp(S, kernel -> (9 * kernel + tap) % LANES);
  }

  private static VectorShuffle<Float> fromTap(int tap) {
    int inverse = inverse(9, LANES);
    return VectorShuffle.fromOp(S, p -> inverse * (p + 9 * LANES - tap) % LANES);
  }

  /** Nine vectors from {@code at} on, tap j to where the table says at {@code first + j}. */
  static void part(float[] s, int at, float[] d, int[] starts, int first, int base) {
    FloatVector a0 = FloatVector.fromArray(S, s, at);
    FloatVector a1 = FloatVector.fromArray(S, s, at + R1);
    FloatVector a2 = FloatVector.fromArray(S, s, at + R2);
    FloatVector a3 = FloatVector.fromArray(S, s, at + R3);
    FloatVector a4 = FloatVector.fromArray(S, s, at + R4);
    FloatVector a5 = FloatVector.fromArray(S, s, at + R5);
    FloatVector a6 = FloatVector.fromArray(S, s, at + R6);
    FloatVector a7 = FloatVector.fromArray(S, s, at + R7);
    FloatVector a8 = FloatVector.fromArray(S, s, at + R8);
    FloatVector b0 = a0.blend(a8, BY_1);
    FloatVector b1 = a1.blend(a0, BY_1);
    FloatVector b2 = a2.blend(a1, BY_1);
    FloatVector b3 = a3.blend(a2, BY_1);
    FloatVector b4 = a4.blend(a3, BY_1);
    FloatVector b5 = a5.blend(a4, BY_1);
    FloatVector b6 = a6.blend(a5, BY_1);
    FloatVector b7 = a7.blend(a6, BY_1);
    FloatVector b8 = a8.blend(a7, BY_1);
    a0 = b0.blend(b7, BY_2);
    a1 = b1.blend(b8, BY_2);
    a2 = b2.blend(b0, BY_2);
    a3 = b3.blend(b1, BY_2);
    a4 = b4.blend(b2, BY_2);
    a5 = b5.blend(b3, BY_2);
    a6 = b6.blend(b4, BY_2);
    a7 = b7.blend(b5, BY_2);
    a8 = b8.blend(b6, BY_2);
    if (LANES > 4) {
      b0 = a0.blend(a5, BY_4);
      b1 = a1.blend(a6, BY_4);
      b2 = a2.blend(a7, BY_4);
      b3 = a3.blend(a8, BY_4);
      b4 = a4.blend(a0, BY_4);
      b5 = a5.blend(a1, BY_4);
      b6 = a6.blend(a2, BY_4);
      b7 = a7.blend(a3, BY_4);
      b8 = a8.blend(a4, BY_4);
      a0 = b0;
      a1 = b1;
      a2 = b2;
      a3 = b3;
      a4 = b4;
      a5 = b5;
      a6 = b6;
      a7 = b7;
      a8 = b8;
    }
    if (LANES > 8) {
      a0 = b0.blend(b1, BY_8);
      a1 = b1.blend(b2, BY_8);
      a2 = b2.blend(b3, BY_8);
      a3 = b3.blend(b4, BY_8);
      a4 = b4.blend(b5, BY_8);
      a5 = b5.blend(b6, BY_8);
      a6 = b6.blend(b7, BY_8);
      a7 = b7.blend(b8, BY_8);
      a8 = b8.blend(b0, BY_8);
    }
    a0.rearrange(TAP_0).intoArray(d, starts[first] + base);
    a1.rearrange(TAP_1).intoArray(d, starts[first + 1] + base);
    a2.rearrange(TAP_2).intoArray(d, starts[first + 2] + base);
    a3.rearrange(TAP_3).intoArray(d, starts[first + 3] + base);
    a4.rearrange(TAP_4).intoArray(d, starts[first + 4] + base);
    a5.rearrange(TAP_5).intoArray(d, starts[first + 5] + base);
    a6.rearrange(TAP_6).intoArray(d, starts[first + 6] + base);
    a7.rearrange(TAP_7).intoArray(d, starts[first + 7] + base);
    a8.rearrange(TAP_8).intoArray(d, starts[first + 8] + base);
  }

  /** The way back: the turns the other way round. */
  static void join(float[] s, int[] starts, int first, int base, float[] d, int to) {
    FloatVector a0 = FloatVector.fromArray(S, s, starts[first] + base).rearrange(FROM_0);
    FloatVector a1 = FloatVector.fromArray(S, s, starts[first + 1] + base).rearrange(FROM_1);
    FloatVector a2 = FloatVector.fromArray(S, s, starts[first + 2] + base).rearrange(FROM_2);
    FloatVector a3 = FloatVector.fromArray(S, s, starts[first + 3] + base).rearrange(FROM_3);
    FloatVector a4 = FloatVector.fromArray(S, s, starts[first + 4] + base).rearrange(FROM_4);
    FloatVector a5 = FloatVector.fromArray(S, s, starts[first + 5] + base).rearrange(FROM_5);
    FloatVector a6 = FloatVector.fromArray(S, s, starts[first + 6] + base).rearrange(FROM_6);
    FloatVector a7 = FloatVector.fromArray(S, s, starts[first + 7] + base).rearrange(FROM_7);
    FloatVector a8 = FloatVector.fromArray(S, s, starts[first + 8] + base).rearrange(FROM_8);
    FloatVector b0 = a0.blend(a1, BY_1);
    FloatVector b1 = a1.blend(a2, BY_1);
    FloatVector b2 = a2.blend(a3, BY_1);
    FloatVector b3 = a3.blend(a4, BY_1);
    FloatVector b4 = a4.blend(a5, BY_1);
    FloatVector b5 = a5.blend(a6, BY_1);
    FloatVector b6 = a6.blend(a7, BY_1);
    FloatVector b7 = a7.blend(a8, BY_1);
    FloatVector b8 = a8.blend(a0, BY_1);
    a0 = b0.blend(b2, BY_2);
    a1 = b1.blend(b3, BY_2);
    a2 = b2.blend(b4, BY_2);
    a3 = b3.blend(b5, BY_2);
    a4 = b4.blend(b6, BY_2);
    a5 = b5.blend(b7, BY_2);
    a6 = b6.blend(b8, BY_2);
    a7 = b7.blend(b0, BY_2);
    a8 = b8.blend(b1, BY_2);
    if (LANES > 4) {
      b0 = a0.blend(a4, BY_4);
      b1 = a1.blend(a5, BY_4);
      b2 = a2.blend(a6, BY_4);
      b3 = a3.blend(a7, BY_4);
      b4 = a4.blend(a8, BY_4);
      b5 = a5.blend(a0, BY_4);
      b6 = a6.blend(a1, BY_4);
      b7 = a7.blend(a2, BY_4);
      b8 = a8.blend(a3, BY_4);
      a0 = b0;
      a1 = b1;
      a2 = b2;
      a3 = b3;
      a4 = b4;
      a5 = b5;
      a6 = b6;
      a7 = b7;
      a8 = b8;
    }
    if (LANES > 8) {
      a0 = b0.blend(b8, BY_8);
      a1 = b1.blend(b0, BY_8);
      a2 = b2.blend(b1, BY_8);
      a3 = b3.blend(b2, BY_8);
      a4 = b4.blend(b3, BY_8);
      a5 = b5.blend(b4, BY_8);
      a6 = b6.blend(b5, BY_8);
      a7 = b7.blend(b6, BY_8);
      a8 = b8.blend(b7, BY_8);
    }
    a0.intoArray(d, to);
    a1.intoArray(d, to + R1);
    a2.intoArray(d, to + R2);
    a3.intoArray(d, to + R3);
    a4.intoArray(d, to + R4);
    a5.intoArray(d, to + R5);
    a6.intoArray(d, to + R6);
    a7.intoArray(d, to + R7);
    a8.intoArray(d, to + R8);
  }
}
