package dev.grapevine.cluster;

import dev.grapevine.runtime.Outcome;

/** With what a process of a run in many processes ends. */
public final class ExitCode {

  public static final int DONE = 0;
  public static final int FAILED = 1;
  public static final int MISTAKE = 2;

  /** A worker was lost or did not come: it may work the next time. */
  public static final int TRY_AGAIN = 75;

  public static final int INTERRUPTED = 130;
  public static final int TERMINATED = 143;

  private ExitCode() {}

  public static int of(Outcome.Ending ending) {
    return switch (ending) {
      case DONE, STOPPED -> DONE;
      case FAILED, STALLED -> FAILED;
      case INTERRUPTED -> INTERRUPTED;
    };
  }
}
