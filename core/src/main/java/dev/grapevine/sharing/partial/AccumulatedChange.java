package dev.grapevine.sharing.partial;

/**
 * The score is what training and mixing have changed since the round in which the coordinate was
 * sent last (thesis Alg. 8, accumulation v2).
 *
 * <p>Line 7 of the algorithm adds the change of the whole round to v, whose sent entries line 5 has
 * set to zero; the change that line 3 adds serves the score alone, or it would count twice. The
 * authors' program does the same. As in {@link AccumulatedTraining} the point r from which changes
 * count is kept in place of v = z − r: sending moves it to where the round began, and mixing leaves
 * it.
 */
final class AccumulatedChange implements Gauge {

  private final float[] reference;

  AccumulatedChange(float[] initial) {
    reference = initial;
  }

  @Override
  public boolean needsStart() {
    return true;
  }

  @Override
  public void score(float[] start, float[] now, float[] scores, int size) {
    for (int i = 0; i < size; i++) {
      scores[i] = Math.abs(now[i] - reference[i]);
    }
  }

  @Override
  public void sent(float[] start, float[] now, int[] indices, int count) {
    for (int i = 0; i < count; i++) {
      reference[indices[i]] = start[indices[i]];
    }
  }
}
