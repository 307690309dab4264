package dev.grapevine.protocol;

import dev.grapevine.learning.Learner;

/** A round's local steps on the loss plus μ/2 ‖w − w₀‖², where w₀ is where the round began. */
final class ProximalTraining {

  private ProximalTraining() {}

  static void run(Learner learner, double mu) {
    float[] parameters = learner.parameters();
    float[] start = parameters.clone();
    float[] gradient = new float[parameters.length];
    for (int step = 0; step < learner.stepsPerRound(); step++) {
      learner.gradient(gradient);
      for (int i = 0; i < gradient.length; i++) {
        gradient[i] += (float) mu * (parameters[i] - start[i]);
      }
      learner.apply(gradient);
    }
  }
}
