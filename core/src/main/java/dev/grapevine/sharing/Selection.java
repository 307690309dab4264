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

  // The lowest score that was taken last, and in the selection before.
  private float height;
  private float lastHeight;

  // Of the selection under way: positions and scores of the candidates, both in the scratch.
  private int[] candidates = NO_INTS;
  private float[] few = NO_FLOATS;
  private int[] chosen = NO_INTS;
  private int found;

  /** Lists the {@code count} highest of {@code size} scores. */
  public void select(float[] scores, int size, int count, int[] indices, Scratch scratch) {
    long[] marks = marks(size, scratch);
    int above = mark(scores, size, marks);
    if (above >= count && above <= size / 2) {
      list(scores, size, marks, scratch);
      take(count, indices, scratch);
    } else {
      TopK.select(scores, size, count, indices, scratch);
      int lowest = Integer.MAX_VALUE;
      for (int i = 0; i < count; i++) {
        lowest = Math.min(lowest, Float.floatToRawIntBits(scores[indices[i]]));
      }
      height = count > 0 ? Float.intBitsToFloat(lowest) : height;
    }
    end();
  }

  /** Begins a selection of at most {@code most} positions, which may be taken in several goes. */
  public void begin(float[] scores, int size, int most, Scratch scratch) {
    long[] marks = marks(size, scratch);
    if (mark(scores, size, marks) < most) {
      SignalKernels.best().markFrom(0, scores, size, marks);
    }
    list(scores, size, marks, scratch);
  }

  private static long[] marks(int size, Scratch scratch) {
    return scratch.longs("selection.marks", (size + 63) >>> 6);
  }

  /**
   * Marks what lies above the bar.
   *
   * @return how many those are; none where there was no bar yet
   */
  private int mark(float[] scores, int size, long[] marks) {
    if (bar == 0) {
      return 0;
    }
    SignalKernels.best().markFrom(bar, scores, size, marks);
    int above = 0;
    for (int word = 0; word < (size + 63) >>> 6; word++) {
      above += Long.bitCount(marks[word]);
    }
    return above;
  }

  private void list(float[] scores, int size, long[] marks, Scratch scratch) {
    candidates = scratch.ints("selection.candidates", size);
    few = scratch.floats("selection.scores", size);
    chosen = scratch.ints("selection.chosen", size);
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
    height = count > 0 ? Float.intBitsToFloat(lowest) : height;
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

  /**
   * Lets go of the scratch. Where the lowest score taken falls from round to round, as with what is
   * left of a vector that is sent piece by piece, the bar is lowered by as much again.
   */
  public void end() {
    float lowered = MARGIN * height * (height < lastHeight ? height / lastHeight : 1);
    bar = lowered > 0 ? lowered : 0;
    lastHeight = height;
    candidates = NO_INTS;
    few = NO_FLOATS;
    chosen = NO_INTS;
    found = 0;
  }
}
