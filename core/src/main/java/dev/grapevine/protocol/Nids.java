package dev.grapevine.protocol;

import dev.grapevine.aggregation.Aggregator;
import dev.grapevine.node.Node;
import dev.grapevine.settings.Kind;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.topology.Topology;
import java.util.Optional;

/**
 * NIDS, the network-independent step size: the first round only trains, then
 *
 * <pre>  x(t+1) = W̃ (2 x(t) − x(t−1) − γ (g(t) − g(t−1))),   W̃ = (W + I)/2.</pre>
 *
 * <p>Converges to the optimum with any γ below 2/L, whatever the graph. What one local step does to
 * x stands in for −γ g. One exchange a round, none in the first; each node keeps two more vectors.
 */
@Kind(
    name = "nids",
    summary = "exact like D², with a step size that does not depend on the graph",
    paper =
        "Li, Shi, Yan: A Decentralized Proximal-Gradient Method with Network Independent"
            + " Step-Sizes, 2019")
public final class Nids implements InStep {

  @Override
  public Optional<String> objection(Encoding encoding, Aggregator rule, Topology topology) {
    return Objections.exactMixing(encoding, rule);
  }

  @Override
  public Optional<String> objection(Topology topology) {
    return Objections.fixedNeighbours(topology);
  }

  @Override
  public boolean isInStep() {
    return true;
  }

  @Override
  public void run(Node self) throws InterruptedException {
    D2.run(self, true, false);
  }
}
