package dev.grapevine.engine.layer;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** The vectors of the step under way. One per workspace, filled again for each step. */
public final class Step {

  private static final float[] NONE = {};

  private float[] parameters = NONE;
  private float[] statistics = NONE;
  private float[] gradient = NONE;
  private int samples;
  private boolean training;
  private RandomGenerator random = new SplittableRandom(0);

  /** Starts a step of which only the forward part will run. */
  public void evaluate(float[] parameters, float[] statistics, int samples) {
    this.parameters = parameters;
    this.statistics = statistics;
    this.gradient = NONE;
    this.samples = samples;
    this.training = false;
  }

  /** Starts a training step. */
  public void train(float[] parameters, float[] statistics, float[] gradient, int samples) {
    this.parameters = parameters;
    this.statistics = statistics;
    this.gradient = gradient;
    this.samples = samples;
    this.training = true;
  }

  /** Where the next random draws of the step come from. */
  public void seed(long seed) {
    random = new SplittableRandom(seed);
  }

  /** Lets go of the caller's vectors. */
  public void clear() {
    evaluate(NONE, NONE, 0);
  }

  public float[] parameters() {
    return parameters;
  }

  public float[] statistics() {
    return statistics;
  }

  /** Where parameter gradients go; every layer overwrites its own tensors. */
  public float[] gradient() {
    return gradient;
  }

  /** Samples in the batch. */
  public int samples() {
    return samples;
  }

  public boolean training() {
    return training;
  }

  /** Seeded by the caller of the step, so that draws never depend on the thread. */
  public RandomGenerator random() {
    return random;
  }
}
