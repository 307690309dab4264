package dev.grapevine.learning;

import dev.grapevine.engine.GradientClipping;
import dev.grapevine.engine.Optimizer;
import dev.grapevine.engine.RateSchedule;
import java.util.function.IntUnaryOperator;

/**
 * How a node trains, whatever its data.
 *
 * @param rate the base learning rate
 * @param schedule its factor, by the number of rounds trained so far
 * @param batchSize samples in a mini-batch
 * @param localSteps mini-batches in a round, by the number of the node's samples
 * @param resetOptimizer whether the optimizer forgets its state at the start of every round
 */
public record TrainingPlan(
    Optimizer optimizer,
    double rate,
    RateSchedule schedule,
    GradientClipping clipping,
    int batchSize,
    IntUnaryOperator localSteps,
    boolean resetOptimizer) {}
