package dev.grapevine.runtime;

import dev.grapevine.runtime.report.Observer;
import dev.grapevine.settings.Family;

/** Runs the nodes of a plan from the first round to the last, on some clock. */
public interface NodeRuntime {

  Family<RuntimeContext, NodeRuntime> FAMILY =
      new Family<>(
          "runtime", NodeRuntime.class, RuntimeContext.class, "what clock the nodes run on");

  /** Whether time is virtual and everything comes out the same every time, even what is secret. */
  default boolean isSimulated() {
    return false;
  }

  /**
   * Runs the plan. Returns when all nodes have ended, and never throws for what happens in one: the
   * outcome tells. When the calling thread is interrupted, the nodes are stopped and the outcome
   * says so.
   */
  Outcome run(Plan plan, Observer observer);
}
