package dev.grapevine.engine.kernel;

/**
 * The backward step of an LSTM cell, one unit after the other; see {@link Kernels#lstmGradient}.
 */
final class ScalarLstm {

  private ScalarLstm() {}

  /** Treats the units [first, hidden). */
  static void gradient(
      int first,
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
    for (int j = first; j < hidden; j++) {
      int g = gatesAt + j;
      float in = gates[g];
      float forget = gates[g + hidden];
      float candidate = gates[g + 2 * hidden];
      float out = gates[g + 3 * hidden];
      float tanh = cellTanh[at + j];
      float dh = outputGradient[at + j];
      float dc = dh * out * (1 - tanh * tanh) + cellGradient[cellGradientAt + j];
      gates[g] = dc * candidate * in * (1 - in);
      gates[g + hidden] = dc * cells[previousAt + j] * forget * (1 - forget);
      gates[g + 2 * hidden] = dc * in * (1 - candidate * candidate);
      gates[g + 3 * hidden] = dh * tanh * out * (1 - out);
      cellGradient[cellGradientAt + j] = dc * forget;
    }
  }
}
