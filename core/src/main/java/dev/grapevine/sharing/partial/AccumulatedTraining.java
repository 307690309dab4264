package dev.grapevine.sharing.partial;

/**
 * The score is what training has changed since the coordinate was sent last (thesis Alg. 7,
 * accumulation v1).
 *
 * <p>Instead of the thesis's sum v of changes it keeps the point r from which they count, v = z −
 * r: sending moves r to the present value, mixing moves it along. One vector, and no error adds up.
 */
final class AccumulatedTraining implements Gauge {

  private final float[] reference;

  AccumulatedTraining(float[] initial) {
    reference = initial;
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
      reference[indices[i]] = now[indices[i]];
    }
  }

  @Override
  public void mixed(float[] delta, int size) {
    for (int i = 0; i < size; i++) {
      reference[i] += delta[i];
    }
  }
}
