package dev.grapevine.runtime.simulated;

import dev.grapevine.runtime.compute.ComputeTask;
import org.jspecify.annotations.Nullable;

/** The end of work on a compute thread; happens when the clock gets there, and waits for it. */
final class TaskEnd implements Event {

  private final SimulatedHost host;
  private final ComputeTask task;
  private boolean happened;

  TaskEnd(SimulatedHost host, ComputeTask task) {
    this.host = host;
    this.task = task;
  }

  @Override
  public @Nullable SimulatedHost happen(Simulation simulation) {
    task.join();
    happened = true;
    return host;
  }

  boolean hasHappened() {
    return happened;
  }
}
