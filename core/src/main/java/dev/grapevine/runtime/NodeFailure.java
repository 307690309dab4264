package dev.grapevine.runtime;

/** A node cannot go on, for a reason that needs no stack trace. */
final class NodeFailure extends RuntimeException {

  private final boolean silent;

  NodeFailure(String message) {
    this(message, false);
  }

  private NodeFailure(String message, boolean silent) {
    super(message, null, false, false);
    this.silent = silent;
  }

  /** A node that stops without anyone noticing. */
  static NodeFailure silent(String message) {
    return new NodeFailure(message, true);
  }

  boolean isSilent() {
    return silent;
  }
}
