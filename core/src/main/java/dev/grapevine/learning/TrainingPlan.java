package dev.grapevine.learning;

import dev.grapevine.engine.GradientClipping;
import dev.grapevine.engine.Optimizer;
import dev.grapevine.engine.RateSchedule;

/**
 * How a node trains, whatever its data.
 *
 * @param rate the base learning rate
 * @param schedule its factor, by the number of mini-batches so far
 * @param batchSize samples in a mini-batch
 * @param amount how many steps or epochs a round has
 * @param unit whether {@code amount} counts mini-batches or passes over the node's data
 * @param resetOptimizer whether the optimizer forgets its state at the start of every round
 */
public record TrainingPlan(
    Optimizer optimizer,
    double rate,
    RateSchedule schedule,
    GradientClipping clipping,
    int batchSize,
    int amount,
    Unit unit,
    boolean resetOptimizer) {

  /** What a round's local work is counted in. */
  public enum Unit {
    STEPS,
    EPOCHS
  }
}
