package dev.grapevine.app.sweep;

import dev.grapevine.UserException;
import dev.grapevine.app.console.Texts;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.experiment.ExperimentCheck;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A careful guess of how much memory runs take, so that a sweep does not end for want of it. */
final class MemoryNeed {

  /**
   * Vectors of the model's length that a node holds at most: parameters, the optimizer's and the
   * sharing scheme's state, a message on its way, and those that have come in.
   */
  private static final int VECTORS = 8;

  private static final long DATA_AND_COMPUTE_BYTES = 64 << 20;

  private MemoryNeed() {}

  /** Of one run. */
  static long bytes(int nodes, int parameters) {
    return DATA_AND_COMPUTE_BYTES + (long) Float.BYTES * VECTORS * nodes * parameters;
  }

  /** Refuses to run so many of these experiments at a time when they would not fit. */
  static void check(List<Experiment> experiments, int parallel, long heap, Path dataDirectory) {
    long largest = 0;
    Set<List<Object>> seen = new HashSet<>();
    for (Experiment experiment : experiments) {
      int nodes = experiment.nodes().count();
      // Only these decide how long the nodes' vectors are.
      if (seen.add(
          List.of(
              nodes,
              experiment.model().name(),
              experiment.model().settings(),
              experiment.data().name()))) {
        int parameters = ExperimentCheck.check(experiment, dataDirectory).parameters();
        largest = Math.max(largest, bytes(nodes, parameters));
      }
    }
    if (largest * parallel > heap) {
      throw new UserException(
          "%d runs at a time may need %s of memory, but there are %s; use --parallel %d"
              .formatted(
                  parallel,
                  Texts.bytes(largest * parallel),
                  Texts.bytes(heap),
                  Math.max(1, heap / largest)));
    }
  }
}
