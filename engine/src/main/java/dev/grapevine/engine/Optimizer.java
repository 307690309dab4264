package dev.grapevine.engine;

/**
 * Turns a gradient into a change of the parameters. An optimizer holds settings only; what it
 * remembers between steps lives in a {@code float[]} of the caller, zero before the first step, so
 * that one object serves any number of nodes and a checkpoint is a copy of arrays.
 */
public sealed interface Optimizer permits Sgd, Adam, AdamW {

  /** Length of the state for a model with so many trainable parameters. */
  int stateSize(int trainable);

  /**
   * Changes {@code parameters} in place. Called by a learner once per mini-batch.
   *
   * @param parameters the model's vector; only the first {@code trainable} values change
   * @param gradient of the loss; left as it is
   * @param trainable length of the prefix that is trained
   * @param state at least {@link #stateSize} values, zero before step 0
   * @param step number of steps done before this one with the same state
   * @param rate learning rate of this step, the schedule already applied
   */
  void step(
      float[] parameters, float[] gradient, int trainable, float[] state, long step, double rate);

  /** Refuses arrays that are too short, before anything is written. */
  static void check(
      Optimizer optimizer, float[] parameters, float[] gradient, int trainable, float[] state) {
    if (trainable < 0 || trainable > parameters.length || trainable > gradient.length) {
      throw new IllegalArgumentException(
          "trainable count out of range: trainable=%d, parameters=%d, gradient=%d"
              .formatted(trainable, parameters.length, gradient.length));
    }
    int needed = optimizer.stateSize(trainable);
    if (state.length < needed) {
      throw new IllegalArgumentException(
          "optimizer state too short: length=%d, needed=%d; allocate stateSize(trainable) values"
              .formatted(state.length, needed));
    }
  }

  /** Refuses a setting outside {@code [low, high)}. */
  static void checkRange(String name, double value, double low, double high) {
    if (!(value >= low && value < high)) {
      throw new IllegalArgumentException(
          "%s out of range: %s=%s, must lie in [%s, %s)".formatted(name, name, value, low, high));
    }
  }
}
