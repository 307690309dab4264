package dev.grapevine.engine.kernel;

import java.nio.ByteOrder;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/** The loops over long vectors on the Vector API. */
final class VectorSignalKernels implements SignalKernels {

  private static final int LANES = VectorKernels.S.length();
  private static final int HALF = LANES / 2;

  /** Even lanes first, then odd ones. */
  private static final VectorShuffle<Float> PARTED =
      VectorShuffle.fromOp(VectorKernels.S, i -> i < HALF ? 2 * i : 2 * (i - HALF) + 1);

  /** Odd lanes first, then even ones. */
  private static final VectorShuffle<Float> PARTED_ODD_FIRST =
      VectorShuffle.fromOp(VectorKernels.S, i -> i < HALF ? 2 * i + 1 : 2 * (i - HALF));

  private static final VectorShuffle<Float> SWAPPED_HALVES =
      VectorShuffle.fromOp(VectorKernels.S, i -> (i + HALF) % LANES);

  /** Undoes {@link #PARTED}. */
  private static final VectorShuffle<Float> JOINED =
      VectorShuffle.fromOp(VectorKernels.S, i -> i % 2 == 0 ? i / 2 : HALF + i / 2);

  private static final VectorMask<Float> UPPER =
      VectorMask.fromLong(VectorKernels.S, -1L << HALF & -1L >>> Long.SIZE - LANES);

  private static final VectorSpecies<Integer> INTS = VectorKernels.S.withLanes(int.class);
  private static final int INFINITE = Float.floatToRawIntBits(Float.POSITIVE_INFINITY);
  private static final VectorSpecies<Byte> BYTES = VectorKernels.S.withLanes(byte.class);
  private static final boolean IS_LITTLE_ENDIAN =
      ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

  @Override
  public void part(float[] x, int at, float[] even, float[] odd, int count) {
    int whole = count / LANES * LANES;
    for (int i = 0; i < whole; i += LANES) {
      FloatVector lower = FloatVector.fromArray(VectorKernels.S, x, at + 2 * i);
      FloatVector upper = FloatVector.fromArray(VectorKernels.S, x, at + 2 * i + LANES);
      lower.rearrange(PARTED).blend(upper.rearrange(PARTED_ODD_FIRST), UPPER).intoArray(even, i);
      lower.rearrange(PARTED_ODD_FIRST).blend(upper.rearrange(PARTED), UPPER).intoArray(odd, i);
    }
    ScalarSignalKernels.part(x, at, even, odd, whole, count);
  }

  @Override
  public void interleave(float[] even, float[] odd, int count, float[] x, int at) {
    int whole = count / LANES * LANES;
    for (int i = 0; i < whole; i += LANES) {
      FloatVector evens = FloatVector.fromArray(VectorKernels.S, even, i);
      FloatVector odds = FloatVector.fromArray(VectorKernels.S, odd, i);
      FloatVector lower = evens.blend(odds.rearrange(SWAPPED_HALVES), UPPER);
      FloatVector upper = evens.rearrange(SWAPPED_HALVES).blend(odds, UPPER);
      lower.rearrange(JOINED).intoArray(x, at + 2 * i);
      upper.rearrange(JOINED).intoArray(x, at + 2 * i + LANES);
    }
    ScalarSignalKernels.interleave(even, odd, whole, count, x, at);
  }

  @Override
  public void filter(
      Slice x,
      Slice y,
      int count,
      float[] firstTaps,
      Slice first,
      float[] secondTaps,
      Slice second) {
    int done =
        firstTaps.length == 4
            ? filterFour(x, y, count, firstTaps, first, secondTaps, second)
            : filterAny(x, y, count, firstTaps, first, secondTaps, second);
    ScalarSignalKernels.filter(x, y, done, count, firstTaps, first);
    ScalarSignalKernels.filter(x, y, done, count, secondTaps, second);
  }

  /** The length of sym2, the usual wavelet, with its taps in registers: three times as fast. */
  private static int filterFour(
      Slice x,
      Slice y,
      int count,
      float[] firstTaps,
      Slice first,
      float[] secondTaps,
      Slice second) {
    float[] xs = x.values();
    float[] ys = y.values();
    int xAt = x.at();
    int yAt = y.at();
    float[] low = first.values();
    float[] high = second.values();
    int lowAt = first.at();
    int highAt = second.at();
    FloatVector a0 = VectorKernels.all(firstTaps[0]);
    FloatVector a1 = VectorKernels.all(firstTaps[1]);
    FloatVector a2 = VectorKernels.all(firstTaps[2]);
    FloatVector a3 = VectorKernels.all(firstTaps[3]);
    FloatVector b0 = VectorKernels.all(secondTaps[0]);
    FloatVector b1 = VectorKernels.all(secondTaps[1]);
    FloatVector b2 = VectorKernels.all(secondTaps[2]);
    FloatVector b3 = VectorKernels.all(secondTaps[3]);
    int whole = count / LANES * LANES;
    for (int i = 0; i < whole; i += LANES) {
      FloatVector x0 = FloatVector.fromArray(VectorKernels.S, xs, xAt + i);
      FloatVector y0 = FloatVector.fromArray(VectorKernels.S, ys, yAt + i);
      FloatVector x1 = FloatVector.fromArray(VectorKernels.S, xs, xAt + i + 1);
      FloatVector y1 = FloatVector.fromArray(VectorKernels.S, ys, yAt + i + 1);
      a0.mul(x0).add(a1.mul(y0)).add(a2.mul(x1).add(a3.mul(y1))).intoArray(low, lowAt + i);
      b0.mul(x0).add(b1.mul(y0)).add(b2.mul(x1).add(b3.mul(y1))).intoArray(high, highAt + i);
    }
    return whole;
  }

  private static int filterAny(
      Slice x,
      Slice y,
      int count,
      float[] firstTaps,
      Slice first,
      float[] secondTaps,
      Slice second) {
    float[] xs = x.values();
    float[] ys = y.values();
    int xAt = x.at();
    int yAt = y.at();
    float[] low = first.values();
    float[] high = second.values();
    int lowAt = first.at();
    int highAt = second.at();
    int whole = count / LANES * LANES;
    for (int i = 0; i < whole; i += LANES) {
      FloatVector x0 = FloatVector.fromArray(VectorKernels.S, xs, xAt + i);
      FloatVector y0 = FloatVector.fromArray(VectorKernels.S, ys, yAt + i);
      FloatVector one = x0.mul(firstTaps[0]).add(y0.mul(firstTaps[1]));
      FloatVector two = x0.mul(secondTaps[0]).add(y0.mul(secondTaps[1]));
      for (int t = 1; 2 * t < firstTaps.length; t++) {
        FloatVector xt = FloatVector.fromArray(VectorKernels.S, xs, xAt + i + t);
        FloatVector yt = FloatVector.fromArray(VectorKernels.S, ys, yAt + i + t);
        one = one.add(xt.mul(firstTaps[2 * t]).add(yt.mul(firstTaps[2 * t + 1])));
        two = two.add(xt.mul(secondTaps[2 * t]).add(yt.mul(secondTaps[2 * t + 1])));
      }
      one.intoArray(low, lowAt + i);
      two.intoArray(high, highAt + i);
    }
    return whole;
  }

  @Override
  public void markFrom(float bar, float[] scores, int count, long[] marks) {
    int below = Float.floatToRawIntBits(bar) - 1;
    int at = 0;
    for (; at + Long.SIZE <= count; at += Long.SIZE) {
      long word = 0;
      for (int lane = 0; lane < Long.SIZE; lane += LANES) {
        VectorMask<Integer> above =
            FloatVector.fromArray(VectorKernels.S, scores, at + lane)
                .reinterpretAsInts()
                .compare(VectorOperators.GT, below);
        word |= above.toLong() << lane;
      }
      marks[at >>> 6] = word;
    }
    ScalarSignalKernels.markFrom(bar, scores, at, count, marks);
  }

  @Override
  public int countBeyond(float limit, float[] x, int at, int count) {
    int whole = count / LANES * LANES;
    FloatVector limits = VectorKernels.all(limit);
    int within = 0;
    for (int i = 0; i < whole; i += LANES) {
      within +=
          FloatVector.fromArray(VectorKernels.S, x, at + i)
              .abs()
              .compare(VectorOperators.LE, limits)
              .trueCount();
    }
    return whole - within + ScalarSignalKernels.beyond(limit, x, at + whole, count - whole);
  }

  /** By the largest bits without a sign: below those of infinity they are a number's. */
  @Override
  public boolean areFinite(float[] x, int at, int count) {
    int whole = count / LANES * LANES;
    IntVector largest = IntVector.zero(INTS);
    for (int i = 0; i < whole; i += LANES) {
      largest =
          largest.max(
              FloatVector.fromArray(VectorKernels.S, x, at + i)
                  .reinterpretAsInts()
                  .and(Integer.MAX_VALUE));
    }
    return largest.reduceLanes(VectorOperators.MAX) < INFINITE
        && ScalarSignalKernels.beyond(Float.MAX_VALUE, x, at + whole, count - whole) == 0;
  }

  @Override
  public void addScaled(float factor, float[] x, float[] sum, int at, int count) {
    int whole = count / LANES * LANES;
    FloatVector factors = VectorKernels.all(factor);
    for (int i = 0; i < whole; i += LANES) {
      FloatVector.fromArray(VectorKernels.S, sum, at + i)
          .add(FloatVector.fromArray(VectorKernels.S, x, i).mul(factors))
          .intoArray(sum, at + i);
    }
    ScalarSignalKernels.addScaled(factor, x, sum, at, whole, count);
  }

  @Override
  public void addScaled(float factor, byte[] x, int begin, float[] sum, int at, int count) {
    int whole = IS_LITTLE_ENDIAN ? count / LANES * LANES : 0;
    FloatVector factors = VectorKernels.all(factor);
    for (int i = 0; i < whole; i += LANES) {
      FloatVector values =
          ByteVector.fromArray(BYTES, x, begin + i * Float.BYTES).reinterpretAsFloats();
      FloatVector.fromArray(VectorKernels.S, sum, at + i)
          .add(values.mul(factors))
          .intoArray(sum, at + i);
    }
    ScalarSignalKernels.addScaled(factor, x, begin, sum, at, whole, count);
  }
}
