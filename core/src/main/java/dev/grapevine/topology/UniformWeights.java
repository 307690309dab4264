package dev.grapevine.topology;

import dev.grapevine.settings.Kind;

/**
 * w<sub>ij</sub> = 1 / (d<sub>i</sub> + 1) with d<sub>i</sub> the number of nodes that i hears
 * from: the plain average of what was heard and the own model. Doubly stochastic where all degrees,
 * in and out, are equal.
 */
@Kind(
    name = "uniform",
    summary = "1/(degree + 1): the plain average; keeps the mean where all degrees are equal.")
public final class UniformWeights implements WeightRule {

  @Override
  public double weight(Graph graph, int node, int peer) {
    return 1.0 / (1 + graph.sources(node).length);
  }
}
