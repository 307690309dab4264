package dev.grapevine.app.run;

import dev.grapevine.app.terminal.Terminal;
import java.io.PrintStream;
import java.time.Duration;
import java.util.function.IntFunction;
import java.util.function.IntSupplier;

/**
 * One line about work under way, rewritten in place a few times a second. It is never wider than
 * the terminal, since a line that wraps cannot be rewritten; where there is no terminal, it keeps
 * quiet.
 */
public final class ProgressLine implements AutoCloseable {

  private static final Duration REDRAW = Duration.ofMillis(100);
  private static final String ERASE_TO_END = "\u001b[K";

  private final PrintStream out;
  private final boolean watched;
  private final IntSupplier columns;
  private long nextNanos = System.nanoTime();
  private String shown = "";
  private boolean ended;

  /** Writes to standard error, so that a command's output can be piped. */
  public ProgressLine() {
    this(System.err, Terminal.ofErrors().isWatched(), () -> Terminal.ofErrors().columns());
  }

  ProgressLine(PrintStream out, boolean watched, IntSupplier columns) {
    this.out = out;
    this.watched = watched;
    this.columns = columns;
  }

  /** Shows {@code text} unless something was shown a moment ago. */
  public void show(String text) {
    show(width -> text);
  }

  /**
   * Shows a text unless something was shown a moment ago.
   *
   * @param text given the columns there are; what is longer is cut
   */
  public synchronized void show(IntFunction<String> text) {
    long now = System.nanoTime();
    if (!watched || ended || now - nextNanos < 0) {
      return;
    }
    nextNanos = now + REDRAW.toNanos();
    // The last column stays free: many terminals wrap as soon as it is written to.
    int width = Math.max(1, columns.getAsInt() - 1);
    shown = cut(text.apply(width), width);
    out.print("\r" + shown + ERASE_TO_END);
    out.flush();
  }

  /** Leaves the line where it is, says something below it, and shows nothing any more. */
  public synchronized void endWith(String text) {
    if (watched && !ended) {
      if (!shown.isEmpty()) {
        // The terminal has written ^C over it.
        out.println("\r" + shown + ERASE_TO_END);
      }
      out.println(text);
      out.flush();
    }
    ended = true;
  }

  /** Takes the line away, so that what is printed next stands alone. */
  @Override
  public synchronized void close() {
    if (watched && !ended && !shown.isEmpty()) {
      out.print("\r" + ERASE_TO_END);
      out.flush();
    }
    shown = "";
  }

  private static String cut(String text, int width) {
    return text.codePointCount(0, text.length()) <= width
        ? text
        : text.substring(0, text.offsetByCodePoints(0, width - 1)) + "…";
  }
}
