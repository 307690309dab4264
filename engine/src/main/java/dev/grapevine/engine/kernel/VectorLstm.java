package dev.grapevine.engine.kernel;

import static dev.grapevine.engine.kernel.VectorKernels.S;
import static dev.grapevine.engine.kernel.VectorKernels.all;
import static dev.grapevine.engine.kernel.VectorKernels.load;

import jdk.incubator.vector.FloatVector;

/** The backward step of an LSTM cell on vectors; see {@link Kernels#lstmGradient}. */
final class VectorLstm {

  private VectorLstm() {}

  static void gradient(
      int hidden,
      float[] gates,
      int gatesAt,
      float[] cells,
      int previousAt,
      float[] cellTanh,
      float[] outputGradient,
      int at,
      float[] cellGradient,
      int cellGradientAt) {
    FloatVector one = all(1f);
    int whole = S.loopBound(hidden);
    for (int j = 0; j < whole; j += S.length()) {
      int g = gatesAt + j;
      FloatVector in = load(gates, g);
      FloatVector forget = load(gates, g + hidden);
      FloatVector candidate = load(gates, g + 2 * hidden);
      FloatVector out = load(gates, g + 3 * hidden);
      FloatVector tanh = load(cellTanh, at + j);
      FloatVector dh = load(outputGradient, at + j);
      FloatVector slope = one.sub(tanh.mul(tanh));
      FloatVector dc = dh.mul(out).fma(slope, load(cellGradient, cellGradientAt + j));
      FloatVector previous = load(cells, previousAt + j);
      dc.mul(candidate).mul(in).mul(one.sub(in)).intoArray(gates, g);
      dc.mul(previous).mul(forget).mul(one.sub(forget)).intoArray(gates, g + hidden);
      dc.mul(in).mul(one.sub(candidate.mul(candidate))).intoArray(gates, g + 2 * hidden);
      dh.mul(tanh).mul(out).mul(one.sub(out)).intoArray(gates, g + 3 * hidden);
      dc.mul(forget).intoArray(cellGradient, cellGradientAt + j);
    }
    ScalarLstm.gradient(
        whole,
        hidden,
        gates,
        gatesAt,
        cells,
        previousAt,
        cellTanh,
        outputGradient,
        at,
        cellGradient,
        cellGradientAt);
  }
}
