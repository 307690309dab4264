package dev.grapevine.app.terminal;

/**
 * The launcher lends the error stream to a filter while the virtual machine starts, because that
 * warns of an incubating module every time. From the first line of the command on, the stream is
 * its own again.
 */
public final class LentErrorStream {

  /** Names the descriptor under which the launcher has kept the true stream. */
  private static final String PROPERTY = "grapevine.stderr";

  private static final int STANDARD_ERROR = 2;

  private LentErrorStream() {}

  /** Takes the stream back, if it was lent. */
  public static void takeBack() {
    Integer kept = Integer.getInteger(PROPERTY);
    if (kept != null) {
      SystemCalls.move(kept, STANDARD_ERROR);
      System.clearProperty(PROPERTY);
    }
  }
}
