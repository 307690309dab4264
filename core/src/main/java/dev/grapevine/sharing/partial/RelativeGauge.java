package dev.grapevine.sharing.partial;

/**
 * Another gauge's score in relation to the coordinate's magnitude: score / (|z| + ε) (thesis
 * §5.0.4, which leaves out the bars that a sign would need).
 */
final class RelativeGauge implements Gauge {

  private final Gauge gauge;
  private final float epsilon;

  RelativeGauge(Gauge gauge, double epsilon) {
    this.gauge = gauge;
    this.epsilon = (float) epsilon;
  }

  @Override
  public boolean needsStart() {
    return gauge.needsStart();
  }

  @Override
  public boolean isMemoryless() {
    return gauge.isMemoryless();
  }

  @Override
  public void score(float[] start, float[] now, float[] scores, int size) {
    gauge.score(start, now, scores, size);
    for (int i = 0; i < size; i++) {
      scores[i] /= Math.abs(now[i]) + epsilon;
    }
  }

  @Override
  public void sent(float[] start, float[] now, int[] indices, int count) {
    gauge.sent(start, now, indices, count);
  }

  @Override
  public void mixed(float[] delta, int size) {
    gauge.mixed(delta, size);
  }
}
