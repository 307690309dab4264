package dev.grapevine.runtime.fault;

/** A node cannot go on, for a reason that needs no stack trace. */
public final class NodeFailure extends RuntimeException {

  private final boolean silent;

  public NodeFailure(String message) {
    this(message, false);
  }

  private NodeFailure(String message, boolean silent) {
    super(message, null, false, false);
    this.silent = silent;
  }

  /** A node that stops without anyone noticing. */
  public static NodeFailure silent(String message) {
    return new NodeFailure(message, true);
  }

  public boolean isSilent() {
    return silent;
  }
}
