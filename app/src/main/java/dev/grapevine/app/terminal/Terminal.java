package dev.grapevine.app.terminal;

import java.util.OptionalInt;

/**
 * Where one of the standard streams leads to.
 *
 * @param descriptor 1 for output, 2 for errors
 */
public record Terminal(int descriptor) {

  /** As wide as people assume where nobody knows. */
  public static final int USUAL_COLUMNS = 80;

  public static Terminal ofOutput() {
    return new Terminal(1);
  }

  public static Terminal ofErrors() {
    return new Terminal(2);
  }

  /** Whether somebody can watch it, rather than a file or another program. */
  public boolean isWatched() {
    return SystemCalls.columns(descriptor).isPresent();
  }

  /** How many columns it has now; people drag windows larger and smaller. */
  public int columns() {
    OptionalInt columns = SystemCalls.columns(descriptor);
    // Some terminals, such as those of serial lines, say that they have no columns at all.
    return columns.orElse(0) > 0 ? columns.getAsInt() : USUAL_COLUMNS;
  }
}
