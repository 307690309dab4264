package dev.grapevine.runtime;

/**
 * How a node's thread came to its end.
 *
 * @param silent whether its peers are not to be told
 */
record NodeEnd(NodeOutcome.Status status, String reason, boolean silent) {

  boolean failed() {
    return status == NodeOutcome.Status.FAILED;
  }
}
