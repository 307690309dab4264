package dev.grapevine.engine.layer;

import dev.grapevine.engine.kernel.Kernels;

/**
 * Between PyTorch's order of convolution weights, [outputs][inputs][taps], and packed panels of
 * outputs, [outputs/panel][taps][inputs][panel].
 */
final class WeightOrder {

  private final Kernels kernels;
  private final int outputs;
  private final int size;

  /** Where the panel of a weight of one output starts. */
  private final int[] places;

  private final float[] tile;

  WeightOrder(Kernels kernels, int outputs, int inputs, int taps) {
    this.kernels = kernels;
    this.outputs = outputs;
    this.size = inputs * taps;
    this.places = new int[size];
    for (int k = 0; k < size; k++) {
      places[k] = (k % taps * inputs + k / taps) * kernels.panel();
    }
    this.tile = new float[kernels.tile()];
  }

  void pack(float[] weights, int at, float[] packed) {
    int panel = kernels.panel();
    for (int o = 0; o < outputs; o += panel) {
      int from = at + o * size;
      int width = outputs - o;
      if (width >= panel) {
        kernels.toColumns(weights, from, size, size, packed, places, 0, o * size, tile);
        continue;
      }
      for (int k = 0; k < size; k++) {
        for (int j = 0; j < width; j++) {
          packed[o * size + places[k] + j] = weights[from + j * size + k];
        }
      }
    }
  }

  void unpack(float[] packed, float[] weights, int at) {
    int panel = kernels.panel();
    for (int o = 0; o < outputs; o += panel) {
      int to = at + o * size;
      int width = outputs - o;
      if (width >= panel) {
        kernels.toRows(packed, places, 0, o * size, size, weights, to, size, tile);
        continue;
      }
      for (int k = 0; k < size; k++) {
        for (int j = 0; j < width; j++) {
          weights[to + j * size + k] = packed[o * size + places[k] + j];
        }
      }
    }
  }
}
