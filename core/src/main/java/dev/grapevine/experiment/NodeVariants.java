package dev.grapevine.experiment;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The experiment as each node sees it: one variant for all nodes with the same overrides. */
final class NodeVariants {

  private final Experiment[] byNode;

  private NodeVariants(Experiment[] byNode) {
    this.byNode = byNode;
  }

  static NodeVariants of(Experiment experiment, List<NodeOverride> overrides, int nodes) {
    if (overrides.isEmpty()) {
      return new NodeVariants(new Experiment[0]);
    }
    // Each override is checked by itself too: one that others hide must still be right.
    overrides.forEach(override -> variant(experiment, List.of(override)));
    Map<List<NodeOverride>, Experiment> variants = new HashMap<>();
    Experiment[] byNode = new Experiment[nodes];
    for (int node = 0; node < nodes; node++) {
      List<NodeOverride> naming = new ArrayList<>();
      for (NodeOverride override : overrides) {
        if (override.nodes().contains(node)) {
          naming.add(override);
        }
      }
      byNode[node] = variants.computeIfAbsent(naming, key -> variant(experiment, key));
    }
    return new NodeVariants(byNode);
  }

  private static Experiment variant(Experiment experiment, List<NodeOverride> overrides) {
    return new Experiment(experiment.document().overridden(overrides));
  }

  Experiment get(int node, Experiment same) {
    return byNode.length == 0 ? same : byNode[node];
  }
}
