package dev.grapevine.app.run;

import sun.misc.Signal;
import sun.misc.SignalHandler;

/**
 * Turns Ctrl-C (and a polite request to end) into an interrupt of the thread that waits for the
 * run, which then stops and keeps its results. A second one ends the process at once.
 */
public final class Interruption implements AutoCloseable {

  /** What shells expect of a process that Ctrl-C has ended. */
  public static final int EXIT_CODE = 130;

  private final Signal interrupt = new Signal("INT");
  private final Signal terminate = new Signal("TERM");
  private final SignalHandler oldInterrupt;
  private final SignalHandler oldTerminate;
  private volatile boolean asked;

  private Interruption(Thread runner) {
    SignalHandler handler =
        signal -> {
          if (asked) {
            Runtime.getRuntime().halt(EXIT_CODE);
          }
          asked = true;
          runner.interrupt();
        };
    oldInterrupt = Signal.handle(interrupt, handler);
    oldTerminate = Signal.handle(terminate, handler);
  }

  public static Interruption ofThisThread() {
    return new Interruption(Thread.currentThread());
  }

  @Override
  public void close() {
    Signal.handle(interrupt, oldInterrupt);
    Signal.handle(terminate, oldTerminate);
  }
}
