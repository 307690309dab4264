package dev.grapevine.engine.kernel;

import static dev.grapevine.engine.kernel.VectorKernels.S;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorShuffle;

/**
 * Turns square blocks of as many rows as a vector has lanes. Stage d exchanges, between rows i and
 * i + d, the elements whose column differs from where it belongs by d (J. O. Eklundh, A Fast
 * Computer Method for Matrix Transposing, 1972). The first two stages go from the source into a
 * scratch block, the others from there into the target.
 */
final class VectorTranspose {

  private static final int LANES = S.length();
  private static final int HALF = LANES / 2;
  private static final int QUARTER = LANES / 4;
  private static final VectorShuffle<Float> CROSS_HALF = cross(HALF);
  private static final VectorShuffle<Float> CROSS_QUARTER = cross(QUARTER);
  private static final VectorShuffle<Float> CROSS_2 = cross(2);
  private static final VectorShuffle<Float> CROSS_1 = cross(1);
  private static final VectorMask<Float> ODD_HALF = odd(HALF);
  private static final VectorMask<Float> ODD_QUARTER = odd(QUARTER);
  private static final VectorMask<Float> ODD_2 = odd(2);
  private static final VectorMask<Float> ODD_1 = odd(1);

  private VectorTranspose() {}

  private static VectorShuffle<Float> cross(int distance) {
    return VectorShuffle.fromOp(S, lane -> lane ^ distance);
  }

  /** Lanes whose number has this bit. */
  private static VectorMask<Float> odd(int bit) {
    boolean[] lanes = new boolean[LANES];
    for (int i = 0; i < LANES; i++) {
      lanes[i] = (i & bit) != 0;
    }
    return VectorMask.fromArray(S, lanes, 0);
  }

  /** Rows that lie {@code stride} apart, to where the table says. */
  static void fromRows(
      float[] s, int at, int stride, float[] d, int[] starts, int first, int base, float[] block) {
    for (int i = 0; i < QUARTER; i++) {
      int from = at + i * stride;
      twoStages(
          s,
          from,
          from + QUARTER * stride,
          from + HALF * stride,
          from + (HALF + QUARTER) * stride,
          block,
          i * LANES);
    }
    if (LANES == 16) {
      for (int i = 0; i < LANES; i += 4) {
        lastTwo(
            block,
            i * LANES,
            d,
            starts[first + i] + base,
            starts[first + i + 1] + base,
            starts[first + i + 2] + base,
            starts[first + i + 3] + base);
      }
    } else {
      for (int i = 0; i < LANES; i += 2) {
        last(block, i * LANES, d, starts[first + i] + base, starts[first + i + 1] + base);
      }
    }
  }

  /** Rows where the table says, to rows that lie {@code stride} apart. */
  static void toRows(
      float[] s, int[] starts, int first, int base, float[] d, int to, int stride, float[] block) {
    for (int i = 0; i < QUARTER; i++) {
      twoStages(
          s,
          starts[first + i] + base,
          starts[first + i + QUARTER] + base,
          starts[first + i + HALF] + base,
          starts[first + i + HALF + QUARTER] + base,
          block,
          i * LANES);
    }
    if (LANES == 16) {
      for (int i = 0; i < LANES; i += 4) {
        int into = to + i * stride;
        lastTwo(block, i * LANES, d, into, into + stride, into + 2 * stride, into + 3 * stride);
      }
    } else {
      for (int i = 0; i < LANES; i += 2) {
        last(block, i * LANES, d, to + i * stride, to + (i + 1) * stride);
      }
    }
  }

  private static void twoStages(
      float[] s, int at0, int at1, int at2, int at3, float[] block, int to) {
    FloatVector r0 = FloatVector.fromArray(S, s, at0);
    FloatVector r1 = FloatVector.fromArray(S, s, at1);
    FloatVector r2 = FloatVector.fromArray(S, s, at2);
    FloatVector r3 = FloatVector.fromArray(S, s, at3);
    FloatVector e0 = r0.blend(r2.rearrange(CROSS_HALF), ODD_HALF);
    FloatVector e2 = r0.rearrange(CROSS_HALF).blend(r2, ODD_HALF);
    FloatVector e1 = r1.blend(r3.rearrange(CROSS_HALF), ODD_HALF);
    FloatVector e3 = r1.rearrange(CROSS_HALF).blend(r3, ODD_HALF);
    e0.blend(e1.rearrange(CROSS_QUARTER), ODD_QUARTER).intoArray(block, to);
    e0.rearrange(CROSS_QUARTER).blend(e1, ODD_QUARTER).intoArray(block, to + QUARTER * LANES);
    e2.blend(e3.rearrange(CROSS_QUARTER), ODD_QUARTER).intoArray(block, to + HALF * LANES);
    e2.rearrange(CROSS_QUARTER)
        .blend(e3, ODD_QUARTER)
        .intoArray(block, to + (HALF + QUARTER) * LANES);
  }

  private static void lastTwo(
      float[] block, int at, float[] d, int to0, int to1, int to2, int to3) {
    FloatVector r0 = FloatVector.fromArray(S, block, at);
    FloatVector r1 = FloatVector.fromArray(S, block, at + LANES);
    FloatVector r2 = FloatVector.fromArray(S, block, at + 2 * LANES);
    FloatVector r3 = FloatVector.fromArray(S, block, at + 3 * LANES);
    FloatVector e0 = r0.blend(r2.rearrange(CROSS_2), ODD_2);
    FloatVector e2 = r0.rearrange(CROSS_2).blend(r2, ODD_2);
    FloatVector e1 = r1.blend(r3.rearrange(CROSS_2), ODD_2);
    FloatVector e3 = r1.rearrange(CROSS_2).blend(r3, ODD_2);
    e0.blend(e1.rearrange(CROSS_1), ODD_1).intoArray(d, to0);
    e0.rearrange(CROSS_1).blend(e1, ODD_1).intoArray(d, to1);
    e2.blend(e3.rearrange(CROSS_1), ODD_1).intoArray(d, to2);
    e2.rearrange(CROSS_1).blend(e3, ODD_1).intoArray(d, to3);
  }

  /** The last stage of blocks of eight; of four there is none left. */
  private static void last(float[] block, int at, float[] d, int to0, int to1) {
    FloatVector r0 = FloatVector.fromArray(S, block, at);
    FloatVector r1 = FloatVector.fromArray(S, block, at + LANES);
    if (LANES == 8) {
      r0.blend(r1.rearrange(CROSS_1), ODD_1).intoArray(d, to0);
      r0.rearrange(CROSS_1).blend(r1, ODD_1).intoArray(d, to1);
    } else {
      r0.intoArray(d, to0);
      r1.intoArray(d, to1);
    }
  }
}
