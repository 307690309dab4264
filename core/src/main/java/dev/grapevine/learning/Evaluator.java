package dev.grapevine.learning;

import dev.grapevine.data.DataSet;
import dev.grapevine.engine.Score;

/** Measures parameter vectors on one fixed list of samples. Safe for use by several threads. */
public final class Evaluator {

  private final Workshop workshop;
  private final DataSet data;
  private final int[] samples;

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
    return new Evaluation(loss / samples.length, accuracy, samples.length);
  }
}
