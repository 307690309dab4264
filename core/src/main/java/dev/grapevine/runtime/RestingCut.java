package dev.grapevine.runtime;

import dev.grapevine.runtime.compute.ComputePool;
import dev.grapevine.runtime.compute.ComputeTask;
import java.util.List;
import java.util.concurrent.CancellationException;

/** Saves all nodes while they rest. */
public final class RestingCut {

  private RestingCut() {}

  /** Copies what nodes remember on the compute threads, and waits until all have been copied. */
  public static void take(Cuts cuts, int round, List<RunningNode> nodes, ComputePool pool) {
    List<ComputeTask> copying =
        nodes.stream()
            .map(node -> pool.submit(() -> save(cuts, round, node), Long.MIN_VALUE))
            .toList();
    for (ComputeTask each : copying) {
      each.join();
    }
    for (ComputeTask each : copying) {
      each.rethrow();
    }
  }

  private static void save(Cuts cuts, int round, RunningNode node) {
    try {
      cuts.save(round, node.id(), node.view());
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new CancellationException("the run was stopped");
    }
  }
}
