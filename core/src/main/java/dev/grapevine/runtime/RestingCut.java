package dev.grapevine.runtime;

import dev.grapevine.runtime.compute.ComputePool;
import dev.grapevine.runtime.compute.ComputeTask;
import dev.grapevine.state.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Saves all nodes while they rest. */
public final class RestingCut {

  /** Snapshots that are held at a time: enough for all threads, little beside the nodes. */
  private static final int TOGETHER = 32;

  private RestingCut() {}

  /**
   * Copies on the compute threads and hands over on the caller's, who may have to wait for room.
   */
  public static void take(Cuts cuts, int round, List<RunningNode> nodes, ComputePool pool)
      throws InterruptedException {
    for (int from = 0; from < nodes.size(); from += TOGETHER) {
      List<RunningNode> some = nodes.subList(from, Math.min(nodes.size(), from + TOGETHER));
      List<Map<String, State.Saved>> snapshots = new ArrayList<>();
      List<ComputeTask> copying = new ArrayList<>();
      for (int i = 0; i < some.size(); i++) {
        int at = i;
        snapshots.add(Map.of());
        copying.add(pool.submit(() -> snapshots.set(at, some.get(at).snapshot()), Long.MIN_VALUE));
      }
      for (int i = 0; i < some.size(); i++) {
        copying.get(i).join();
        copying.get(i).rethrow();
      }
      for (int i = 0; i < some.size(); i++) {
        cuts.save(round, some.get(i).id(), snapshots.get(i));
      }
    }
  }
}
