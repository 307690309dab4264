package dev.grapevine.engine.layer;

import dev.grapevine.engine.kernel.Rows;
import java.util.Arrays;

/**
 * {@link Lstm} at work. Inside, everything is ordered by time first ([time][sample][feature], dense
 * in the samples of the batch), so that one time step of all samples is one block.
 */
final class LstmPass implements Pass {

  private final Lstm layer;
  private final Binding binding;
  private final LstmLevel[] levels;

  /** The input, and where its rows lie in the input's plane. */
  private final float[] steps;

  private final int[] planeRows;
  private int samples;

  LstmPass(Lstm layer, Binding binding) {
    this.layer = layer;
    this.binding = binding;
    int rows = Math.multiplyExact(binding.capacity(), layer.length());
    int widest = Math.max(layer.features(0), layer.hidden());
    LstmScratch scratch = new LstmScratch(binding.kernels(), rows, layer.hidden(), widest);
    this.levels = new LstmLevel[layer.levels()];
    for (int level = 0; level < levels.length; level++) {
      int[] offsets = Arrays.copyOfRange(binding.parameterOffsets(), 4 * level, 4 * level + 4);
      levels[level] = new LstmLevel(layer, level, offsets, binding, scratch);
    }
    this.steps = new float[Math.multiplyExact(rows, layer.features(0))];
    this.planeRows = new int[Rows.roundUp(rows) + Rows.BLOCK];
  }

  @Override
  public void prepare(Step step) {
    if (samples != step.samples()) {
      samples = step.samples();
      int last = samples * layer.length() - 1;
      for (int i = 0; i < planeRows.length; i++) {
        int row = Math.min(i, last);
        planeRows[i] = place(row) * layer.features(0);
      }
      for (LstmLevel level : levels) {
        level.resize(samples);
      }
    }
    for (LstmLevel level : levels) {
      level.prepare(step);
    }
  }

  /** Position in [sample][time] of a position in [time][sample]. */
  private int place(int row) {
    return row % samples * layer.length() + row / samples;
  }

  @Override
  public void forward(Step step, int from, int to) {
    copyRows(binding.input().value().data(), steps, layer.features(0), true);
    float[] values = steps;
    for (LstmLevel level : levels) {
      level.forward(values);
      values = level.states();
    }
    float[] y = binding.output().value().data();
    int hidden = layer.hidden();
    if (layer.allStates()) {
      copyRows(y, values, hidden, false);
    } else {
      int last = (layer.length() - 1) * samples * hidden;
      System.arraycopy(values, last, y, 0, samples * hidden);
    }
  }

  @Override
  public void backward(Step step, int from, int to) {
    LstmLevel top = levels[levels.length - 1];
    float[] dy = binding.output().requireGradient().data();
    int hidden = layer.hidden();
    if (layer.allStates()) {
      copyRows(dy, top.stateGradients(), hidden, true);
    } else {
      int last = (layer.length() - 1) * samples * hidden;
      Arrays.fill(top.stateGradients(), 0, last, 0f);
      System.arraycopy(dy, 0, top.stateGradients(), last, samples * hidden);
    }
    for (int level = levels.length - 1; level > 0; level--) {
      LstmLevel below = levels[level - 1];
      levels[level].backward(step, below.states());
      levels[level].inputGradient(below.stateGradients(), levels[level].stateRows());
    }
    levels[0].backward(step, steps);
    if (binding.input().hasGradient()) {
      levels[0].inputGradient(binding.input().requireGradient().data(), planeRows);
    }
  }

  /** Copies between a plane, ordered by sample, and a buffer ordered by time. */
  private void copyRows(float[] plane, float[] buffer, int width, boolean fromPlane) {
    int rows = samples * layer.length();
    for (int row = 0; row < rows; row++) {
      int place = place(row) * width;
      if (fromPlane) {
        System.arraycopy(plane, place, buffer, row * width, width);
      } else {
        System.arraycopy(buffer, row * width, plane, place, width);
      }
    }
  }
}
