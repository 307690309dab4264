package dev.grapevine.protocol;

import dev.grapevine.learning.Learner;
import java.util.function.Consumer;

/** A round's local steps in forms that several protocols need; all run on a compute thread. */
final class LocalSteps {

  private LocalSteps() {}

  /** The usual number of steps, each along a gradient that {@code change} has changed. */
  static double run(Learner learner, Consumer<float[]> change) {
    float[] gradient = new float[learner.parameters().length];
    double loss = 0;
    for (int step = 0; step < learner.stepsPerRound(); step++) {
      loss += learner.gradient(gradient);
      change.accept(gradient);
      learner.apply(gradient);
    }
    return loss / learner.stepsPerRound();
  }

  /** The usual training on the loss plus μ/2 ‖w − w₀‖², where w₀ is where the round began. */
  static double proximal(Learner learner, double mu) {
    float[] parameters = learner.parameters();
    float[] start = parameters.clone();
    return run(
        learner,
        gradient -> {
          for (int i = 0; i < gradient.length; i++) {
            gradient[i] += (float) mu * (parameters[i] - start[i]);
          }
        });
  }

  /** The usual training, whose change goes into {@code step}; the parameters stay at the start. */
  static double apart(Learner learner, float[] start, float[] step) {
    float[] parameters = learner.parameters();
    System.arraycopy(parameters, 0, start, 0, start.length);
    double loss = learner.train();
    for (int i = 0; i < step.length; i++) {
      step[i] = parameters[i] - start[i];
      parameters[i] = start[i];
    }
    return loss;
  }
}
