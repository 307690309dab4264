package dev.grapevine.sharing.partial;

/** The score is the change by this round's training: |z_now − z_start| (thesis Alg. 6, line 20). */
final class Change implements Gauge {

  @Override
  public boolean needsStart() {
    return true;
  }

  @Override
  public void score(float[] start, float[] now, float[] scores, int size) {
    for (int i = 0; i < size; i++) {
      scores[i] = Math.abs(now[i] - start[i]);
    }
  }
}
