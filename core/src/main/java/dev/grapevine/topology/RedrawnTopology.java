package dev.grapevine.topology;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * A random graph drawn anew every k rounds. The graph of a round depends on the seed and the round
 * alone; the last few are remembered, because the nodes of a run are at about the same round.
 */
final class RedrawnTopology implements Topology {

  private static final int REMEMBERED = 16;

  private record Drawn(int index, StaticTopology topology) {}

  private final RandomGraph graph;
  private final WeightRule rule;
  private final TopologyContext context;
  private final int every;
  private final AtomicReferenceArray<Drawn> recent = new AtomicReferenceArray<>(REMEMBERED);

  RedrawnTopology(RandomGraph graph, WeightRule rule, TopologyContext context, int every) {
    this.graph = graph;
    this.rule = rule;
    this.context = context;
    this.every = every;
    // Drawn at once, so that settings that do not fit are told before the run begins.
    draw(0);
  }

  @Override
  public int nodes() {
    return context.nodes();
  }

  @Override
  public int period() {
    return 0;
  }

  @Override
  public Neighbourhood neighbours(int node, int round) {
    int index = round / every;
    Drawn drawn = recent.getAcquire(index % REMEMBERED);
    if (drawn == null || drawn.index != index) {
      drawn = draw(index);
    }
    return drawn.topology.neighbours(node, round);
  }

  private synchronized Drawn draw(int index) {
    Drawn drawn = recent.getAcquire(index % REMEMBERED);
    if (drawn == null || drawn.index != index) {
      drawn =
          new Drawn(
              index,
              new StaticTopology(graph.draw(RandomGraph.random(context.seed(), index)), rule));
      recent.setRelease(index % REMEMBERED, drawn);
    }
    return drawn;
  }
}
