package dev.grapevine.sharing.partial;

/** The score is the coordinate's magnitude: |z|. Keeps nothing. */
final class Magnitude implements Gauge {

  @Override
  public boolean isMemoryless() {
    return true;
  }

  @Override
  public void score(float[] start, float[] now, float[] scores, int size) {
    for (int i = 0; i < size; i++) {
      scores[i] = Math.abs(now[i]);
    }
  }
}
