package dev.grapevine.launch;

import dev.grapevine.UserException;
import dev.grapevine.cluster.Placement;
import dev.grapevine.exchange.Senders;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.experiment.Parts;
import dev.grapevine.privacy.Privacy;
import dev.grapevine.topology.Exposure;
import dev.grapevine.topology.Topology;
import java.util.ArrayList;
import java.util.List;

/**
 * What the nodes of one worker keep from other workers, and what they do not. A worker sees its own
 * nodes' models and all sums that they hear, so it counts as nodes that work together.
 */
final class WorkersSecrecy {

  /** Solving for the models of more nodes takes longer than a user waits for a warning. */
  private static final int MOST_NODES = 2048;

  private final Experiment experiment;
  private final Parts parts;
  private final Placement placement;
  private final Privacy privacy;

  WorkersSecrecy(Experiment experiment, Parts parts, Placement placement) {
    this.experiment = experiment;
    this.parts = parts;
    this.placement = placement;
    this.privacy = experiment.privacy().create();
  }

  /** Passes if nothing else that the experiment asks for shows what is to be hidden. */
  void requireKept() {
    boolean averages = experiment.evaluation().averageModel();
    if (isSpread() && (averages || experiment.evaluation().consensus())) {
      throw new UserException(
          "evaluation.%s shows the coordinator the sum of each worker's models, which privacy %s is to"
                  .formatted(averages ? "average-model" : "consensus", experiment.privacy().name())
              + " hide: leave it out, or run all nodes in one process");
    }
  }

  private boolean isSpread() {
    return privacy.hides() && placement.workers() > 1;
  }

  /**
   * What a user should know before the run.
   *
   * @param certified whether an authority vouches for the workers
   */
  List<String> notes(boolean certified) {
    List<String> notes = new ArrayList<>();
    privacy.warning(placement.workers(), certified).ifPresent(notes::add);
    if (isSpread()
        && parts.protocol(experiment, 0).senders(parts.topology()) instanceof Senders.Planned plan
        && plan.graph().nodes() <= MOST_NODES) {
      exposures(plan.graph(), notes);
    }
    return notes;
  }

  private void exposures(Topology graph, List<String> notes) {
    Exposure exposure = new Exposure(graph, 0);
    for (int rank = 0; rank < placement.workers(); rank++) {
      int[] solved =
          exposure.solvable(placement.nodesOf(rank)).stream()
              .mapToInt(Integer::intValue)
              .sorted()
              .toArray();
      if (solved.length > 0) {
        notes.add(
            "worker %d can solve for the models of %d node%s of others (%s) from the sums that its own"
                    .formatted(
                        rank,
                        solved.length,
                        solved.length == 1 ? "" : "s",
                        Placement.ranges(solved))
                + " nodes hear in a round: take more workers, or a denser topology");
      }
    }
  }
}
