package dev.grapevine.engine.layer;

import dev.grapevine.engine.kernel.Kernels;
import dev.grapevine.engine.kernel.Product;
import dev.grapevine.engine.kernel.Rows;
import java.util.Arrays;

/**
 * One level of an {@link Lstm}. What the inputs add to the gates is one product over all time
 * steps; only the recurrent part goes step by step. Backwards likewise: the recurrent part step by
 * step, then weight gradients and input gradients as one product each.
 */
final class LstmLevel {

  private final Kernels kernels;
  private final LstmScratch scratch;
  private final int length;
  private final int features;
  private final int hidden;
  private final int gateCount;

  /** Floats from one row of gates to the next; a power of two would crowd one cache set. */
  private final int gateStride;

  private final int[] offsets;
  private final int[] weightInputRows;
  private final int[] weightStateRows;
  private final int[] transposedRows;

  private final float[] inputPanels;
  private final float[] statePanels;
  private final float[] inputPanelsBack;
  private final float[] statePanelsBack;
  private final float[] bias;

  private final float[] gates;
  private final float[] states;
  private final float[] stateGradients;

  /** One block more than there are time steps: the first is the zero state before the start. */
  private final float[] cells;

  private final float[] cellTanh;
  private final float[] cellGradient;

  private final int[] inputRows;
  private final int[] gateRows;
  private final int[] stateRows;
  private final int[] stepGateRows;
  private final int[] stepStateRows;
  private int samples;

  LstmLevel(Lstm layer, int level, int[] offsets, Binding binding, LstmScratch scratch) {
    this.kernels = binding.kernels();
    this.scratch = scratch;
    this.length = layer.length();
    this.features = layer.features(level);
    this.hidden = layer.hidden();
    this.gateCount = 4 * hidden;
    this.gateStride = gateCount + kernels.panel();
    this.offsets = offsets;
    this.weightInputRows = Rows.evenly(gateCount, features);
    this.weightStateRows = Rows.evenly(gateCount, hidden);
    this.transposedRows = new int[weightStateRows.length];
    this.inputPanels = new float[Product.packedSize(kernels, features, gateCount)];
    this.statePanels = new float[Product.packedSize(kernels, hidden, gateCount)];
    this.inputPanelsBack = new float[Product.packedSize(kernels, gateCount, features)];
    this.statePanelsBack = new float[Product.packedSize(kernels, gateCount, hidden)];
    this.bias = new float[Product.packedSize(kernels, 1, gateCount)];
    int block = Math.multiplyExact(binding.capacity(), hidden);
    int rows = Math.multiplyExact(binding.capacity(), length);
    this.gates = new float[Math.multiplyExact(rows, gateStride)];
    this.states = new float[Math.multiplyExact(block, length)];
    this.stateGradients = new float[states.length];
    this.cells = new float[Math.addExact(states.length, block)];
    this.cellTanh = new float[states.length];
    this.cellGradient = new float[block];
    int table = Rows.roundUp(rows) + Rows.BLOCK;
    this.inputRows = new int[table];
    this.gateRows = new int[table];
    this.stateRows = new int[table];
    this.stepGateRows = new int[Rows.roundUp(binding.capacity()) + Rows.BLOCK];
    this.stepStateRows = new int[stepGateRows.length];
  }

  /** All hidden states, [time][sample][hidden]. */
  float[] states() {
    return states;
  }

  /** Where the level above, or the loss, leaves the gradient of the states. */
  float[] stateGradients() {
    return stateGradients;
  }

  /** Offsets of the rows of a dense buffer as wide as a state. */
  int[] stateRows() {
    return stateRows;
  }

  /** Buffers are dense in the batch's samples, so a change of their number moves every row. */
  void resize(int samples) {
    this.samples = samples;
    int rows = samples * length;
    fill(inputRows, rows, features);
    fill(gateRows, rows, gateStride);
    fill(stateRows, rows, hidden);
    fill(stepGateRows, samples, gateStride);
    fill(stepStateRows, samples, hidden);
    fill(transposedRows, gateCount, rows);
    Arrays.fill(cells, 0, samples * hidden, 0f);
  }

  private static void fill(int[] table, int count, int stride) {
    for (int i = 0; i < table.length; i++) {
      table[i] = Math.min(i, count - 1) * stride;
    }
  }

  void prepare(Step step) {
    float[] weights = step.parameters();
    LstmScratch.packTransposed(inputPanels, kernels, weights, offsets[0], gateCount, features);
    LstmScratch.packTransposed(statePanels, kernels, weights, offsets[1], gateCount, hidden);
    for (int i = 0; i < gateCount; i++) {
      bias[i] = weights[offsets[2] + i] + weights[offsets[3] + i];
    }
    if (step.training()) {
      LstmScratch.packInto(inputPanelsBack, kernels, weights, offsets[0], gateCount, features);
      LstmScratch.packInto(statePanelsBack, kernels, weights, offsets[1], gateCount, hidden);
    }
  }

  /** From the inputs, dense and ordered by time, to {@link #states()}. */
  void forward(float[] inputs) {
    scratch
        .product()
        .multiply(
            inputs,
            inputRows,
            0,
            1,
            0,
            features,
            inputPanels,
            0,
            gateCount,
            gates,
            gateRows,
            0,
            0,
            samples * length,
            false,
            bias);
    int block = samples * hidden;
    for (int t = 0; t < length; t++) {
      if (t > 0) {
        scratch
            .product()
            .multiplyFew(
                states,
                stepStateRows,
                (t - 1) * block,
                hidden,
                statePanels,
                gateCount,
                gates,
                stepGateRows,
                t * samples * gateStride,
                samples,
                true);
      }
      for (int n = 0; n < samples; n++) {
        cell((t * samples + n) * gateStride, t * block + n * hidden);
      }
    }
  }

  /** Several simple loops: one fused loop was slower. */
  private void cell(int gate, int at) {
    int next = at + samples * hidden;
    kernels.sigmoid(gates, gate, gates, gate, 2 * hidden);
    kernels.tanh(gates, gate + 2 * hidden, gates, gate + 2 * hidden, hidden);
    kernels.sigmoid(gates, gate + 3 * hidden, gates, gate + 3 * hidden, hidden);
    kernels.multiply(gates, gate, gates, gate + 2 * hidden, cells, next, hidden);
    kernels.addProduct(gates, gate + hidden, cells, at, cells, next, hidden);
    kernels.tanh(cells, next, cellTanh, at, hidden);
    kernels.multiply(cellTanh, at, gates, gate + 3 * hidden, states, at, hidden);
  }

  /** From {@link #stateGradients()} to gate gradients and parameter gradients. */
  void backward(Step step, float[] inputs) {
    int block = samples * hidden;
    Arrays.fill(cellGradient, 0, block, 0f);
    for (int t = length - 1; t >= 0; t--) {
      for (int n = 0; n < samples; n++) {
        int at = t * block + n * hidden;
        kernels.lstmGradient(
            hidden,
            gates,
            (t * samples + n) * gateStride,
            cells,
            at,
            cellTanh,
            stateGradients,
            at,
            cellGradient,
            n * hidden);
      }
      if (t > 0) {
        scratch
            .product()
            .multiplyFew(
                gates,
                stepGateRows,
                t * samples * gateStride,
                gateCount,
                statePanelsBack,
                hidden,
                stateGradients,
                stepStateRows,
                (t - 1) * block,
                samples,
                true);
      }
    }
    parameterGradients(step.gradient(), inputs);
  }

  private void parameterGradients(float[] gradient, float[] inputs) {
    int rows = samples * length;
    scratch.transpose(gates, rows, gateStride, gateCount);
    weightGradient(gradient, offsets[0], weightInputRows, inputs, 0, rows, features);
    if (length > 1) {
      // A state meets the gates of the next time step; before the first it is zero.
      weightGradient(
          gradient, offsets[1], weightStateRows, states, samples, rows - samples, hidden);
    } else {
      Arrays.fill(gradient, offsets[1], offsets[1] + gateCount * hidden, 0f);
    }
    Arrays.fill(gradient, offsets[2], offsets[2] + gateCount, 0f);
    for (int row = 0; row < rows; row++) {
      kernels.add(gates, row * gateStride, gradient, offsets[2], gateCount);
    }
    System.arraycopy(gradient, offsets[2], gradient, offsets[3], gateCount);
  }

  /** Sum over rows of (gate gradient, from {@code firstRow} on) times (value). */
  private void weightGradient(
      float[] gradient,
      int offset,
      int[] weightRows,
      float[] values,
      int firstRow,
      int rows,
      int width) {
    float[] panels = scratch.pack(values, rows, width);
    scratch
        .product()
        .multiply(
            scratch.transposed(),
            transposedRows,
            firstRow,
            1,
            0,
            rows,
            panels,
            0,
            width,
            gradient,
            weightRows,
            offset,
            0,
            gateCount,
            false,
            null);
  }

  /** After {@link #backward}: the gradient of the inputs, row by row to the given places. */
  void inputGradient(float[] target, int[] targetRows) {
    scratch
        .product()
        .multiply(
            gates,
            gateRows,
            0,
            1,
            0,
            gateCount,
            inputPanelsBack,
            0,
            features,
            target,
            targetRows,
            0,
            0,
            samples * length,
            false,
            null);
  }
}
