package dev.grapevine.learning;

import dev.grapevine.UserException;
import dev.grapevine.data.DataSet;
import dev.grapevine.engine.Batch;
import dev.grapevine.engine.Score;
import dev.grapevine.engine.loss.MeanSquaredError;

/** Measures parameter vectors on one fixed list of samples. Safe for use by several threads. */
public final class Evaluator {

  private final Workshop workshop;
  private final DataSet data;
  private final int[] samples;
  private final double variance;

  /**
   * @param samples the samples of {@code data} to look at, the same every time
   */
  public Evaluator(Workshop workshop, DataSet data, int[] samples) {
    if (samples.length == 0) {
      throw new IllegalArgumentException("nothing to evaluate on: data=" + data.name());
    }
    this.workshop = workshop;
    this.data = data;
    this.samples = samples;
    this.variance = data.classes() > 0 ? Double.NaN : variance(data, samples);
  }

  /** Of the values to be approximated, around their mean; over all targets of a sample. */
  private static double variance(DataSet data, int[] samples) {
    Batch batch = data.batch(1);
    int width = data.targetSize();
    double[] sum = new double[width];
    double[] squares = new double[width];
    for (int sample : samples) {
      data.read(sample, batch, 0);
      for (int i = 0; i < width; i++) {
        double target = batch.targets()[i];
        sum[i] += target;
        squares[i] += target * target;
      }
    }
    double variance = 0;
    for (int i = 0; i < width; i++) {
      double mean = sum[i] / samples.length;
      variance += Math.max(0, squares[i] / samples.length - mean * mean) / width;
    }
    return variance;
  }

  /**
   * The loss of a guess that does not look at the sample: equal odds for all classes, or the mean
   * of the values.
   */
  public double blindLoss() {
    return data.classes() > 0 ? Math.log(Math.max(2, data.classes())) : variance;
  }

  /** How many samples it looks at. */
  public int size() {
    return samples.length;
  }

  /**
   * @param statistics the model's running statistics, if it keeps them apart
   */
  public Evaluation evaluate(float[] parameters, float[] statistics) {
    Workshop.Bench bench = workshop.own();
    double loss = 0;
    int correct = 0;
    for (int at = 0; at < samples.length; at += workshop.capacity()) {
      Workshop.checkStopped();
      int count = Math.min(workshop.capacity(), samples.length - at);
      data.fill(samples, at, count, bench.batch());
      Score score = bench.workspace().evaluate(parameters, statistics, bench.batch());
      loss += score.lossSum();
      correct += score.correct();
    }
    double accuracy = data.classes() > 0 ? (double) correct / samples.length : Double.NaN;
    double error = loss / samples.length;
    boolean squared = workshop.model().loss() instanceof MeanSquaredError && variance > 0;
    double rSquared = squared ? 1 - error / variance : Double.NaN;
    return new Evaluation(error, accuracy, rSquared, samples.length);
  }

  /** What the model says of every sample; of a data set with classes, to a score for each. */
  public Predictions predict(float[] parameters, float[] statistics) {
    Workshop.Bench bench = workshop.own();
    int classes = data.classes();
    int width = workshop.model().outputSize();
    if (classes == 0 || width != classes) {
      throw new UserException(
          "evaluation.metrics needs a model with one output for every class: outputs=%d, classes=%d"
              .formatted(width, classes));
    }
    float[] outputs = new float[samples.length * classes];
    int[] labels = new int[samples.length];
    float[] some = new float[workshop.capacity() * classes];
    for (int at = 0; at < samples.length; at += workshop.capacity()) {
      Workshop.checkStopped();
      int count = Math.min(workshop.capacity(), samples.length - at);
      data.fill(samples, at, count, bench.batch());
      bench.workspace().forward(parameters, statistics, bench.batch(), some);
      System.arraycopy(some, 0, outputs, at * classes, count * classes);
      for (int i = 0; i < count; i++) {
        labels[at + i] = (int) bench.batch().targets()[i];
      }
    }
    return new Predictions(outputs, labels, classes);
  }
}
