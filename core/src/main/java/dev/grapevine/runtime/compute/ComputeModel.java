package dev.grapevine.runtime.compute;

import dev.grapevine.settings.Family;

/** How long training takes in the simulated runtime, in nanoseconds of virtual time. */
public interface ComputeModel {

  Family<ComputeContext, ComputeModel> FAMILY =
      new Family<>(
          "compute-model",
          ComputeModel.class,
          ComputeContext.class,
          "how long training takes in the simulated runtime");

  /**
   * How long one round of training takes.
   *
   * @param training how often the node has trained before
   * @param measured how long the work really took; 0 unless {@link #measures}
   */
  long duration(int node, int training, long measured);

  /**
   * The same where it matters when training begins.
   *
   * @param now the virtual time; rises from call to call
   */
  default long duration(int node, int training, long measured, long now) {
    return duration(node, training, measured);
  }

  /**
   * Whether the real time of the work matters. Then the clock stands still until the work is done,
   * and the trace hash differs from run to run.
   */
  default boolean measures() {
    return false;
  }
}
