package dev.grapevine.checkpoint;

/** A cut cannot be gone on from, for a reason in words for the user. */
public final class UnusableCut extends Exception {

  public UnusableCut(String reason) {
    super(reason);
  }

  /** Why. */
  public String reason() {
    return String.valueOf(getMessage());
  }
}
