package dev.grapevine.app.run;

import java.io.PrintStream;
import java.time.Duration;

/**
 * One line about work under way. On a terminal it is rewritten in place a few times a second;
 * elsewhere (a log file, a pipe) a new line is written now and then, so that logs stay short.
 */
public final class ProgressLine implements AutoCloseable {

  private static final Duration REDRAW = Duration.ofMillis(100);
  private static final Duration LOG = Duration.ofSeconds(10);
  private static final String ERASE_TO_END = "\u001b[K";

  private final PrintStream out;
  private final boolean terminal;
  private long nextNanos;
  private boolean open;

  /** Writes to standard error, so that a command's output can be piped. */
  public ProgressLine() {
    this(System.err, System.console() != null && System.console().isTerminal());
  }

  ProgressLine(PrintStream out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
    this.nextNanos = System.nanoTime() + (terminal ? 0 : LOG.toNanos());
  }

  /** Shows {@code text} unless something was shown a moment ago. */
  public synchronized void show(String text) {
    long now = System.nanoTime();
    if (now - nextNanos < 0) {
      return;
    }
    nextNanos = now + (terminal ? REDRAW : LOG).toNanos();
    if (terminal) {
      out.print("\r" + text + ERASE_TO_END);
      out.flush();
      open = true;
    } else {
      out.println(text);
    }
  }

  /** Takes the line away, so that what is printed next stands alone. */
  @Override
  public synchronized void close() {
    if (open) {
      out.print("\r" + ERASE_TO_END);
      out.flush();
      open = false;
    }
  }
}
