package dev.grapevine.learning;

/**
 * What a classifier said of its test samples.
 *
 * @param outputs a score for every class of every sample, sample after sample; the highest is the
 *     answer
 * @param labels the right class of every sample
 * @param classes how many classes there are
 */
public record Predictions(float[] outputs, int[] labels, int classes) {

  public Predictions {
    if (outputs.length != labels.length * classes) {
      throw new IllegalArgumentException(
          "a score for every class is needed: outputs=%d, samples=%d, classes=%d"
              .formatted(outputs.length, labels.length, classes));
    }
  }

  public int samples() {
    return labels.length;
  }

  /** The score of a class for a sample. */
  public float score(int sample, int label) {
    return outputs[sample * classes + label];
  }

  /** How many other classes score as high as the right one or higher; 0 for a right answer. */
  public int rank(int sample) {
    float right = score(sample, labels[sample]);
    int higher = 0;
    for (int label = 0; label < classes; label++) {
      higher += label != labels[sample] && score(sample, label) >= right ? 1 : 0;
    }
    return higher;
  }

  /** The class with the highest score, the first of equals. */
  public int answer(int sample) {
    int best = 0;
    for (int label = 1; label < classes; label++) {
      best = score(sample, label) > score(sample, best) ? label : best;
    }
    return best;
  }

  /** How often samples of class i were taken for class j. */
  public int[][] confusion() {
    int[][] counts = new int[classes][classes];
    for (int sample = 0; sample < labels.length; sample++) {
      counts[labels[sample]][answer(sample)]++;
    }
    return counts;
  }
}
