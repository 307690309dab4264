package dev.grapevine.sharing.difference;

import dev.grapevine.random.SplitMix;

/** The few matrix operations of power iteration, on row-major blocks of a flat vector. */
final class LowRank {

  private static final double VANISHED = 1e-30;

  private LowRank() {}

  /** out (rows) = X v. */
  static void times(
      float[] x, int at, int rows, int cols, float[] v, int vAt, float[] out, int to) {
    for (int r = 0; r < rows; r++) {
      double sum = 0;
      int row = at + r * cols;
      for (int c = 0; c < cols; c++) {
        sum += (double) x[row + c] * v[vAt + c];
      }
      out[to + r] = (float) sum;
    }
  }

  /** out (cols) = Xᵀ v. */
  static void transposedTimes(
      float[] x, int at, int rows, int cols, float[] v, int vAt, float[] out, int to) {
    for (int c = 0; c < cols; c++) {
      out[to + c] = 0;
    }
    for (int r = 0; r < rows; r++) {
      int row = at + r * cols;
      float factor = v[vAt + r];
      for (int c = 0; c < cols; c++) {
        out[to + c] += factor * x[row + c];
      }
    }
  }

  /** X ← X + factor · left rightᵀ. */
  static void addOuter(
      float[] x,
      int at,
      int rows,
      int cols,
      float factor,
      float[] left,
      int leftAt,
      float[] right,
      int rightAt) {
    for (int r = 0; r < rows; r++) {
      int row = at + r * cols;
      float scaled = factor * left[leftAt + r];
      for (int c = 0; c < cols; c++) {
        x[row + c] += scaled * right[rightAt + c];
      }
    }
  }

  /**
   * Makes {@code rank} vectors of {@code length}, one behind the other, orthonormal (Gram–Schmidt).
   * One that vanishes is drawn anew from the seed.
   */
  static void orthonormalize(float[] vectors, int at, int length, int rank, long seed) {
    for (int k = 0; k < rank; k++) {
      int own = at + k * length;
      double norm = project(vectors, at, length, k);
      for (int attempt = 0; !(norm > VANISHED) && attempt < 8; attempt++) {
        draw(vectors, own, length, seed + k * 31L + attempt);
        norm = project(vectors, at, length, k);
      }
      float scale = (float) (1 / norm);
      for (int i = 0; i < length; i++) {
        vectors[own + i] *= scale;
      }
    }
  }

  /** Takes from vector k its part along the earlier ones; returns its norm. */
  private static double project(float[] vectors, int at, int length, int k) {
    int own = at + k * length;
    for (int earlier = 0; earlier < k; earlier++) {
      int other = at + earlier * length;
      double dot = 0;
      for (int i = 0; i < length; i++) {
        dot += (double) vectors[own + i] * vectors[other + i];
      }
      for (int i = 0; i < length; i++) {
        vectors[own + i] -= (float) (dot * vectors[other + i]);
      }
    }
    double squares = 0;
    for (int i = 0; i < length; i++) {
      squares += (double) vectors[own + i] * vectors[own + i];
    }
    return Math.sqrt(squares);
  }

  static void draw(float[] vectors, int at, int length, long seed) {
    long state = SplitMix.finish(seed);
    for (int i = 0; i < length; i++) {
      state += SplitMix.GOLDEN_GAMMA;
      vectors[at + i] = (SplitMix.finish(state) >> 40) * 0x1p-23f;
    }
  }
}
