package dev.grapevine.topology;

/**
 * Half of another rule's weights, so that models are mixed with (W + I)/2: its eigenvalues are
 * never negative, which D² and its kin need. Costs half of the mixing's speed.
 */
final class LazyWeights implements WeightRule {

  private final WeightRule rule;

  LazyWeights(WeightRule rule) {
    this.rule = rule;
  }

  @Override
  public double weight(Graph graph, int node, int peer) {
    return rule.weight(graph, node, peer) / 2;
  }

  @Override
  public void check(Graph graph) {
    rule.check(graph);
  }
}
