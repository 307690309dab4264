package dev.grapevine.cluster;

/** The run ended before it began. */
public final class RunGivenUp extends RuntimeException {

  private final int exitCode;

  RunGivenUp(String reason, int exitCode) {
    super(reason, null, false, false);
    this.exitCode = exitCode;
  }

  /** With what this process is to end. */
  public int exitCode() {
    return exitCode;
  }
}
