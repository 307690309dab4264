package dev.grapevine.benchmarks.sharing;

import dev.grapevine.benchmarks.measure.ProcessorTime;
import dev.grapevine.benchmarks.workload.Training;
import dev.grapevine.engine.ParameterBlock;
import dev.grapevine.learning.ModelLearner;
import java.util.List;

/**
 * What a briefly trained model leaves behind, so that schemes and codecs see what they would see in
 * a run: sizes that differ from layer to layer, few large changes and many small ones.
 *
 * @param name the model's
 * @param start parameters after the first rounds
 * @param changes by which each of the following rounds changed them
 * @param sinceInitialisation the whole change
 * @param learner trains on, for what training costs (3 steps of 8)
 */
record TrainedModel(
    String name,
    List<ParameterBlock> blocks,
    float[] start,
    float[][] changes,
    float[] sinceInitialisation,
    ModelLearner learner) {

  /**
   * @param before rounds before the changes are kept; they warm the compiler up, too
   * @param kept rounds whose changes are kept
   */
  static TrainedModel train(Training training, int before, int kept) {
    ModelLearner learner = training.learner(0, 1);
    float[] parameters = learner.parameters();
    for (int round = 0; round < before; round++) {
      learner.train();
    }
    float[] start = parameters.clone();
    float[][] changes = new float[kept][];
    float[] last = start;
    for (int round = 0; round < kept; round++) {
      learner.train();
      changes[round] = difference(parameters, last);
      last = parameters.clone();
    }
    return new TrainedModel(
        training.model().name(),
        learner.blocks(),
        start,
        changes,
        difference(parameters, training.start()),
        learner);
  }

  /** Trains for one more round and tells how many milliseconds of processor time it took. */
  double trainingMillis() {
    double begin = ProcessorTime.ofThread();
    learner.train();
    return (ProcessorTime.ofThread() - begin) * 1e3;
  }

  int size() {
    return start.length;
  }

  private static float[] difference(float[] a, float[] b) {
    float[] difference = new float[a.length];
    for (int i = 0; i < a.length; i++) {
      difference[i] = a[i] - b[i];
    }
    return difference;
  }
}
