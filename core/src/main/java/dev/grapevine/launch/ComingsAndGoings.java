package dev.grapevine.launch;

import dev.grapevine.experiment.Experiment;
import dev.grapevine.runtime.fault.FaultPolicy;

/** Whether the nodes of a run in many processes go down and come back while others go on. */
final class ComingsAndGoings {

  private final boolean restartAlone;
  private final boolean churn;

  ComingsAndGoings(Experiment experiment, Assembly assembly) {
    FaultPolicy policy = experiment.faultPolicy();
    restartAlone =
        policy.failedNode() == FaultPolicy.FailedNode.RESTART
            && policy.missing() == FaultPolicy.Missing.GO_ON
            && experiment.checkpoint().isOn()
            && experiment.privacy().create().isNone()
            && !assembly.addsUpNeighbours();
    churn = !experiment.faults().churn().isNone();
  }

  /** Whether one that fails joins the others again; otherwise all go back with it. */
  boolean restartAlone() {
    return restartAlone;
  }

  /** Whether any node may go down and come back. */
  boolean areThere() {
    return restartAlone || churn;
  }
}
