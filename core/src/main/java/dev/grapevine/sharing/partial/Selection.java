package dev.grapevine.sharing.partial;

import dev.grapevine.compression.TopK;
import dev.grapevine.sharing.Workspace;

/**
 * Top-k selection that remembers how high the bar was. Scores change little from round to round, so
 * one pass over them leaves a few candidates above a lowered bar, among which {@link TopK} selects;
 * the result is the same as without memory. Where the bar was too high or too low for that, all are
 * candidates.
 */
final class Selection {

  /** How far below the last bar a candidate may lie. */
  private static final float MARGIN = 0.8f;

  private float bar;

  /**
   * Lists the {@code count} highest of {@code size} scores; uses slot 3 and index slots 2 and 3.
   */
  void select(float[] scores, int size, int count, int[] indices, Workspace workspace) {
    if (count == 0) {
      return;
    }
    if (!(bar > 0) || !selectAbove(scores, size, count, indices, workspace)) {
      TopK.select(scores, size, count, indices);
    }
    float lowest = Float.POSITIVE_INFINITY;
    for (int i = 0; i < count; i++) {
      lowest = Math.min(lowest, scores[indices[i]]);
    }
    bar = MARGIN * lowest;
  }

  private boolean selectAbove(
      float[] scores, int size, int count, int[] indices, Workspace workspace) {
    int[] candidates = workspace.ints(2, size);
    float lowered = bar;
    int found = 0;
    for (int i = 0; i < size; i++) {
      candidates[found] = i;
      // Negated, so that a NaN is a candidate: selection ranks it highest.
      found += scores[i] < lowered ? 0 : 1;
    }
    if (found < count) {
      return false;
    }
    float[] few = workspace.floats(3, found);
    for (int i = 0; i < found; i++) {
      few[i] = scores[candidates[i]];
    }
    int[] chosen = workspace.ints(3, found);
    TopK.select(few, found, count, chosen);
    for (int i = 0; i < count; i++) {
      indices[i] = candidates[chosen[i]];
    }
    return true;
  }
}
