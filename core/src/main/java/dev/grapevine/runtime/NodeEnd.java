package dev.grapevine.runtime;

import dev.grapevine.runtime.report.NodeOutcome;

/**
 * How a node's thread came to its end.
 *
 * @param silent whether its peers are not to be told
 */
public record NodeEnd(NodeOutcome.Status status, String reason, boolean silent) {

  public boolean failed() {
    return status == NodeOutcome.Status.FAILED;
  }
}
