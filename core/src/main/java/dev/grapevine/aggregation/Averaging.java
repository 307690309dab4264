package dev.grapevine.aggregation;

/** How a sparse scheme weighs what it received, coordinate by coordinate. */
public enum Averaging {

  /**
   * The topology's mixing weights (Metropolis–Hastings unless the topology says otherwise); where a
   * peer sent nothing, the node's own value stands in: x ← x + Σ_j w_ij (x_j − x).
   */
  MIXING_WEIGHTS,

  /**
   * The plain mean of the node's own value and those that were sent: x ← (x + Σ_j x_j) / (1 + r),
   * with r the number of peers that sent the coordinate (thesis §5.2). Mixes faster than {@link
   * #MIXING_WEIGHTS} at small budgets and does not preserve the mean.
   */
  PARAMETER_WISE
}
