package dev.grapevine.engine.layer;

import dev.grapevine.engine.kernel.Kernels;
import dev.grapevine.engine.kernel.Product;
import dev.grapevine.engine.kernel.Rows;
import java.util.List;

/**
 * The gradient with respect to the input: per {@link ParityClass} a convolution of stride one over
 * the output's gradient with the kernel turned round.
 */
final class ConvInputGradient {

  /** A multiple of any number of lanes. */
  private static final int LANES = 16;

  private final Conv2d conv;
  private final Binding binding;
  private final Kernels kernels;
  private final Product product;
  private final List<ParityClass> classes;
  private final float[][] turnedWeights;
  private final int[][] gradientWindows;
  private final int[][] inputPixels;
  private final boolean leavesGaps;

  /** One output's kernels; the last rows only fill a block. */
  private final float[] tapPanels;

  private final int[] tapRows;
  private final float[] tile;

  ConvInputGradient(Conv2d conv, Binding binding) {
    this.conv = conv;
    this.binding = binding;
    this.kernels = binding.kernels();
    this.product = new Product(kernels);
    this.classes = ParityClass.of(conv);
    this.turnedWeights = new float[classes.size()][];
    this.gradientWindows = new int[classes.size()][];
    this.inputPixels = new int[classes.size()][];
    int covered = 0;
    for (int i = 0; i < classes.size(); i++) {
      ParityClass parity = classes.get(i);
      int depth = parity.rowTaps().length * parity.columnTaps().length * conv.outputs();
      turnedWeights[i] = new float[Product.packedSize(kernels, depth, conv.input().channels())];
      fillTables(i, parity);
      covered += parity.rows(conv) * parity.columns(conv);
    }
    int taps = (conv.kernel() * conv.kernel() + LANES - 1) / LANES * LANES;
    this.tapPanels = new float[taps * kernels.panel()];
    this.tapRows = Rows.evenly(taps, kernels.panel());
    this.tile = new float[kernels.tile()];
    this.leavesGaps = covered < conv.input().height() * conv.input().width();
  }

  private void fillTables(int index, ParityClass parity) {
    Plane dy = binding.output().requireGradient();
    Plane dx = binding.input().requireGradient();
    int rows = parity.rows(conv);
    int columns = parity.columns(conv);
    int[] windows = new int[binding.capacity() * rows * columns];
    int[] pixels = new int[windows.length];
    int p = 0;
    for (int n = 0; n < binding.capacity(); n++) {
      for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++) {
          windows[p] = dy.at(n, i + parity.firstRow(conv), j + parity.firstColumn(conv));
          pixels[p++] =
              dx.at(
                  n,
                  parity.rowParity() + conv.stride() * i,
                  parity.columnParity() + conv.stride() * j);
        }
      }
    }
    gradientWindows[index] = Rows.padded(windows);
    inputPixels[index] = Rows.padded(pixels);
  }

  /** Packs [inputs/panel][taps of the class, turned round][outputs][panel of inputs]. */
  void prepare(Step step) {
    int inputs = conv.input().channels();
    int panel = kernels.panel();
    int taps = conv.kernel() * conv.kernel();
    for (int c = 0; c < inputs; c += panel) {
      int width = Math.min(panel, inputs - c);
      for (int o = 0; o < conv.outputs(); o++) {
        int source = binding.parameterOffsets()[0] + (o * inputs + c) * taps;
        takeKernels(step.parameters(), source, width);
        for (int i = 0; i < classes.size(); i++) {
          placeTaps(classes.get(i), turnedWeights[i], c, o);
        }
      }
    }
  }

  /** One output's kernels for a panel of inputs, as [tap][panel]. */
  private void takeKernels(float[] weights, int source, int width) {
    int panel = kernels.panel();
    int taps = conv.kernel() * conv.kernel();
    if (width == panel) {
      kernels.toColumns(weights, source, taps, taps, tapPanels, tapRows, 0, 0, tile);
      return;
    }
    for (int tap = 0; tap < taps; tap++) {
      for (int j = 0; j < width; j++) {
        tapPanels[tap * panel + j] = weights[source + j * taps + tap];
      }
    }
  }

  private void placeTaps(ParityClass parity, float[] turned, int c, int o) {
    int panel = kernels.panel();
    int columnTaps = parity.columnTaps().length;
    int depth = parity.rowTaps().length * columnTaps * conv.outputs();
    for (int a = 0; a < parity.rowTaps().length; a++) {
      for (int b = 0; b < columnTaps; b++) {
        int tap = parity.rowTaps()[a] * conv.kernel() + parity.columnTaps()[b];
        int to = c * depth + ((a * columnTaps + b) * conv.outputs() + o) * panel;
        System.arraycopy(tapPanels, tap * panel, turned, to, panel);
      }
    }
  }

  void compute(int from, int to) {
    Plane dy = binding.output().requireGradient();
    Plane dx = binding.input().requireGradient();
    if (leavesGaps) {
      dx.clear(from, to);
    }
    for (int i = 0; i < classes.size(); i++) {
      ParityClass parity = classes.get(i);
      int perSample = parity.rows(conv) * parity.columns(conv);
      product.multiply(
          dy.data(),
          gradientWindows[i],
          0,
          parity.rowTaps().length,
          dy.rowStride(),
          parity.columnTaps().length * conv.outputs(),
          turnedWeights[i],
          0,
          conv.input().channels(),
          dx.data(),
          inputPixels[i],
          0,
          from * perSample,
          (to - from) * perSample,
          false,
          null);
    }
  }
}
