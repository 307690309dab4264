package dev.grapevine.engine.layer;

/**
 * Between PyTorch's order of convolution weights, [outputs][inputs][taps], and packed panels of
 * outputs, [outputs/panel][taps][inputs][panel].
 */
final class WeightOrder {

  private WeightOrder() {}

  static void pack(
      float[] weights, int at, int outputs, int inputs, int taps, int panel, float[] packed) {
    int size = inputs * taps;
    for (int o = 0; o < outputs; o += panel) {
      int width = Math.min(panel, outputs - o);
      for (int c = 0; c < inputs; c++) {
        for (int tap = 0; tap < taps; tap++) {
          int to = (o * size) + (tap * inputs + c) * panel;
          int from = at + o * size + c * taps + tap;
          for (int j = 0; j < width; j++) {
            packed[to + j] = weights[from + j * size];
          }
        }
      }
    }
  }

  static void unpack(
      float[] packed, int panel, float[] weights, int at, int outputs, int inputs, int taps) {
    int size = inputs * taps;
    for (int o = 0; o < outputs; o += panel) {
      int width = Math.min(panel, outputs - o);
      for (int c = 0; c < inputs; c++) {
        for (int tap = 0; tap < taps; tap++) {
          int from = (o * size) + (tap * inputs + c) * panel;
          int to = at + o * size + c * taps + tap;
          for (int j = 0; j < width; j++) {
            weights[to + j * size] = packed[from + j];
          }
        }
      }
    }
  }
}
