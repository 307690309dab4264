package dev.grapevine.sharing;

import dev.grapevine.compression.TopK;
import dev.grapevine.engine.kernel.SignalKernels;
import dev.grapevine.scratch.Scratch;

/**
 * Top-k selection that remembers how high the bar was. Scores change little from round to round, so
 * one pass over them leaves a few candidates above a lowered bar, among which {@link TopK} selects;
 * the result is the same as without memory. Where the bar was too high or too low for that, all are
 * candidates.
 */
public final class Selection {

  /** How far below the last bar a candidate may lie. */
  private static final float MARGIN = 0.9f;

  private static final int[] NO_INTS = {};
  private static final float[] NO_FLOATS = {};

  private float bar;

  // Of the selection under way: positions and scores of the candidates, both in the scratch.
  private int[] candidates = NO_INTS;
  private float[] few = NO_FLOATS;
  private int[] chosen = NO_INTS;
  private int found;

  /** Lists the {@code count} highest of {@code size} scores. */
  public void select(float[] scores, int size, int count, int[] indices, Scratch scratch) {
    begin(scores, size, count, scratch);
    take(count, indices, scratch);
    end();
  }

  /** Begins a selection of at most {@code most} positions, which may be taken in several goes. */
  public void begin(float[] scores, int size, int most, Scratch scratch) {
    candidates = scratch.ints("selection.candidates", size);
    few = scratch.floats("selection.scores", size);
    chosen = scratch.ints("selection.chosen", size);
    long[] marks = scratch.longs("selection.marks", (size + 63) >>> 6);
    listFrom(bar, scores, size, marks);
    if (found < most) {
      listFrom(0, scores, size, marks);
    }
  }

  private void listFrom(float lowest, float[] scores, int size, long[] marks) {
    SignalKernels.best().markFrom(lowest, scores, size, marks);
    found = RandomMask.listBits(marks, size, false, candidates);
    for (int i = 0; i < found; i++) {
      few[i] = scores[candidates[i]];
    }
  }

  /** Lists the {@code count} highest of those not excluded, in rising order. */
  public void take(int count, int[] indices, Scratch scratch) {
    TopK.select(few, found, count, chosen, scratch);
    int lowest = Integer.MAX_VALUE;
    for (int i = 0; i < count; i++) {
      int at = chosen[i];
      indices[i] = candidates[at];
      lowest = Math.min(lowest, Float.floatToRawIntBits(few[at]));
    }
    if (count > 0) {
      float lowered = MARGIN * Float.intBitsToFloat(lowest);
      bar = lowered > 0 ? lowered : 0;
    }
  }

  /** Forgets the marked positions, so that they are not taken any more. */
  public void exclude(long[] marks) {
    int kept = 0;
    for (int i = 0; i < found; i++) {
      int at = candidates[i];
      candidates[kept] = at;
      few[kept] = few[i];
      kept += (int) ~(marks[at >>> 6] >>> at) & 1;
    }
    found = kept;
  }

  /** Lets go of the scratch. */
  public void end() {
    candidates = NO_INTS;
    few = NO_FLOATS;
    chosen = NO_INTS;
    found = 0;
  }
}
