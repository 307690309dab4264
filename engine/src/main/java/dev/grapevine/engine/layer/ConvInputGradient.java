package dev.grapevine.engine.layer;

import dev.grapevine.engine.kernel.Kernels;
import dev.grapevine.engine.kernel.Product;
import dev.grapevine.engine.kernel.Rows;
import java.util.Arrays;
import java.util.List;

/**
 * The gradient with respect to the input: per {@link ParityClass} a convolution of stride one over
 * the output's gradient with the kernel turned round.
 */
final class ConvInputGradient {

  private final Conv2d conv;
  private final Binding binding;
  private final Kernels kernels;
  private final Product product;
  private final List<ParityClass> classes;
  private final float[][] turnedWeights;
  private final int[][] gradientWindows;
  private final int[][] inputPixels;
  private final boolean leavesGaps;

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
    int kernel = conv.kernel();
    int taps = kernel * kernel;
    float[] weights = step.parameters();
    for (int i = 0; i < classes.size(); i++) {
      ParityClass parity = classes.get(i);
      int columnTaps = parity.columnTaps().length;
      int depth = parity.rowTaps().length * columnTaps * conv.outputs();
      float[] turned = turnedWeights[i];
      for (int c = 0; c < inputs; c += panel) {
        int width = Math.min(panel, inputs - c);
        for (int o = 0; o < conv.outputs(); o++) {
          int source = binding.parameterOffsets()[0] + (o * inputs + c) * taps;
          for (int a = 0; a < parity.rowTaps().length; a++) {
            for (int b = 0; b < columnTaps; b++) {
              int from = source + parity.rowTaps()[a] * kernel + parity.columnTaps()[b];
              int to = c * depth + ((a * columnTaps + b) * conv.outputs() + o) * panel;
              for (int j = 0; j < width; j++) {
                turned[to + j] = weights[from + j * taps];
              }
            }
          }
        }
      }
    }
  }

  void compute(int from, int to) {
    Plane dy = binding.output().requireGradient();
    Plane dx = binding.input().requireGradient();
    if (leavesGaps) {
      clear(dx, from, to);
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

  private static void clear(Plane plane, int from, int to) {
    Arrays.fill(plane.data(), from * plane.sampleStride(), to * plane.sampleStride(), 0f);
  }
}
