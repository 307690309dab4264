package dev.grapevine.engine.layer;

import dev.grapevine.engine.kernel.Kernels;
import dev.grapevine.engine.kernel.Product;
import dev.grapevine.engine.kernel.Rows;
import java.util.Arrays;

/** {@link Linear} at work; "rows" are samples, or samples × time for a sequence. */
final class LinearPass implements Pass {

  /** Depth of one piece of the forward product. */
  private static final int RUN = 256;

  /**
   * Rows of W, or of its gradient, that are walked side by side: they lie on as many pages, and no
   * more than 64 of those are found quickly. A multiple of {@link Rows#BLOCK}.
   */
  private static final int STRIP = 48;

  private final Binding binding;
  private final Kernels kernels;
  private final int inputs;
  private final int outputs;
  private final int rowsPerSample;

  /** Offsets of W's rows, which are also those of the weight gradient. */
  private final int[] weightRows;

  private final int[] panelRows;
  private final int[] transposedRows;
  private final int[] inputRows;
  private final int[] outputRows;

  /**
   * Inputs with the batch innermost, [panel of rows][inputs][panel]; in the backward pass [panel of
   * inputs][rows][panel].
   */
  private final float[] transposedInput;

  /** Outputs, or their gradient, with the batch innermost. */
  private final float[] transposedOutput;

  private final float[] panelBuffer;
  private final float[] tile;

  LinearPass(Linear layer, Binding binding) {
    this.binding = binding;
    this.kernels = binding.kernels();
    this.inputs = layer.inputs();
    this.outputs = layer.outputs();
    this.rowsPerSample = layer.input().width();
    int rows = binding.capacity() * rowsPerSample;
    int panel = kernels.panel();
    int panels = Product.panels(kernels, rows);
    this.weightRows = Rows.evenly(outputs, inputs);
    this.panelRows = Rows.evenly(outputs, panel);
    this.transposedRows = Rows.evenly(outputs, rows);
    this.inputRows = Rows.evenly(rows, inputs);
    this.outputRows = Rows.evenly(rows, outputs);
    int inputPanels = Product.panels(kernels, inputs);
    this.transposedInput = new float[Math.max(panels * inputs * panel, inputPanels * panel * rows)];
    this.transposedOutput = new float[panels * Rows.roundUp(outputs) * panel];
    this.panelBuffer = new float[STRIP * panel];
    this.tile = new float[kernels.tile()];
  }

  @Override
  public void forward(Step step, int from, int to) {
    int rows = (to - from) * rowsPerSample;
    int first = from * rowsPerSample;
    float[] x = binding.input().value().data();
    transposePanels(x, first, rows, inputs, transposedInput);
    int panel = kernels.panel();
    int panels = Product.panels(kernels, rows);
    int weights = binding.parameterOffsets()[0];
    for (int k = 0; k < inputs; k += RUN) {
      int depth = Math.min(RUN, inputs - k);
      for (int p = 0; p < panels; p++) {
        kernels.rows(
            step.parameters(),
            weightRows,
            0,
            weights + k,
            transposedInput,
            (p * inputs + k) * panel,
            depth,
            transposedOutput,
            panelRows,
            0,
            p * outputs * panel,
            outputs,
            panel,
            k > 0,
            null,
            0,
            tile);
      }
    }
    float[] y = binding.output().value().data();
    int bias = binding.parameterOffsets()[1];
    for (int r = 0; r < rows; r++) {
      int source = r / panel * outputs * panel + r % panel;
      int target = (first + r) * outputs;
      for (int o = 0; o < outputs; o++) {
        y[target + o] = transposedOutput[source + o * panel] + step.parameters()[bias + o];
      }
    }
  }

  /**
   * Source rows [first, first+rows) of a width become panels with the rows innermost. Columns of
   * the last panel that have no row hold anything; so do those of the product, which nobody reads.
   */
  private void transposePanels(float[] source, int first, int rows, int width, float[] target) {
    int panel = kernels.panel();
    for (int r = 0; r < rows; r++) {
      int at = r / panel * width * panel + r % panel;
      int start = (first + r) * width;
      for (int i = 0; i < width; i++) {
        target[at + i * panel] = source[start + i];
      }
    }
  }

  @Override
  public void backward(Step step, int from, int to) {
    int rows = (to - from) * rowsPerSample;
    int first = from * rowsPerSample;
    biasGradient(step, first, rows);
    weightGradient(step, first, rows);
    if (binding.input().hasGradient()) {
      inputGradient(step, first, rows);
    }
  }

  private void biasGradient(Step step, int first, int rows) {
    float[] dy = binding.output().requireGradient().data();
    int bias = binding.parameterOffsets()[1];
    Arrays.fill(step.gradient(), bias, bias + outputs, 0f);
    for (int r = 0; r < rows; r++) {
      kernels.add(dy, (first + r) * outputs, step.gradient(), bias, outputs);
    }
  }

  /** dW[o][i] = Σ_r dy[r][o] · x[r][i]: dy transposed on the left, panels of x on the right. */
  private void weightGradient(Step step, int first, int rows) {
    float[] dy = binding.output().requireGradient().data();
    float[] x = binding.input().value().data();
    int capacity = binding.capacity() * rowsPerSample;
    for (int r = 0; r < rows; r++) {
      for (int o = 0; o < outputs; o++) {
        transposedOutput[o * capacity + r] = dy[(first + r) * outputs + o];
      }
    }
    int panel = kernels.panel();
    int weights = binding.parameterOffsets()[0];
    for (int i = 0; i < inputs; i += panel) {
      int width = Math.min(panel, inputs - i);
      kernels.packPanel(x, first * inputs + i, inputs, rows, width, transposedInput, i * rows);
    }
    for (int o = 0; o < outputs; o += STRIP) {
      for (int i = 0; i < inputs; i += panel) {
        for (int k = 0; k < rows; k += RUN) {
          kernels.rows(
              transposedOutput,
              transposedRows,
              o,
              k,
              transposedInput,
              i * rows + k * panel,
              Math.min(RUN, rows - k),
              step.gradient(),
              weightRows,
              o,
              weights + i,
              Math.min(STRIP, outputs - o),
              Math.min(panel, inputs - i),
              k > 0,
              null,
              0,
              tile);
        }
      }
    }
  }

  /** dx[r][i] = Σ_o dy[r][o] · W[o][i], a strip of W's rows, one panel of columns at a time. */
  private void inputGradient(Step step, int first, int rows) {
    float[] dy = binding.output().requireGradient().data();
    float[] dx = binding.input().requireGradient().data();
    int panel = kernels.panel();
    int weights = binding.parameterOffsets()[0];
    for (int o = 0; o < outputs; o += STRIP) {
      int depth = Math.min(STRIP, outputs - o);
      for (int i = 0; i < inputs; i += panel) {
        int width = Math.min(panel, inputs - i);
        kernels.packPanel(
            step.parameters(), weights + o * inputs + i, inputs, depth, width, panelBuffer, 0);
        kernels.rows(
            dy,
            outputRows,
            first,
            o,
            panelBuffer,
            0,
            depth,
            dx,
            inputRows,
            first,
            i,
            rows,
            width,
            o > 0,
            null,
            0,
            tile);
      }
    }
  }
}
