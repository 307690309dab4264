package dev.grapevine.app.console;

import dev.grapevine.settings.OwnCode;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import sun.misc.Signal;
import sun.misc.SignalHandler;

/**
 * Turns Ctrl-C (and a polite request to end) into an interrupt of the thread that waits for the
 * run, which then stops and keeps its results. A second one ends the process at once.
 */
public final class Interruption implements AutoCloseable {

  /** What shells expect of a process that Ctrl-C has ended. */
  public static final int EXIT_CODE = 130;

  /** The same of a process that was asked to end. */
  public static final int TERMINATED = 143;

  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private final Signal interrupt = new Signal("INT");
  private final Signal terminate = new Signal("TERM");
  private final SignalHandler oldInterrupt;
  private final SignalHandler oldTerminate;
  private volatile boolean asked;
  private volatile int exitCode;

  private Interruption(Thread runner, Runnable first, BooleanSupplier stop, boolean heedsCtrlC) {
    SignalHandler handler =
        signal -> {
          if (asked) {
            Runtime.getRuntime().halt(exitCode);
          }
          exitCode = signal.equals(new Signal("TERM")) ? TERMINATED : EXIT_CODE;
          asked = true;
          first.run();
          if (!stop.getAsBoolean()) {
            runner.interrupt();
          }
          endOwnCode(runner);
        };
    oldInterrupt = Signal.handle(interrupt, heedsCtrlC ? handler : SignalHandler.SIG_IGN);
    oldTerminate = Signal.handle(terminate, handler);
  }

  /**
   * Own code that the waiting thread itself is in, such as a data set that is loaded, hears no
   * interrupt: if it is still there after a while, nothing is left to be kept.
   */
  private static void endOwnCode(Thread runner) {
    Thread.ofPlatform()
        .daemon()
        .name("interruption")
        .start(() -> {
          try {
            Thread.sleep(PATIENCE);
          } catch (InterruptedException e) {
            return;
          }
          OwnCode.frame(runner.getStackTrace())
              .ifPresent(frame -> {
                System.err.println("interrupted in " + OwnCode.text(frame));
                Runtime.getRuntime().halt(EXIT_CODE);
              });
        });
  }

  public static Interruption ofThisThread() {
    return ofThisThread(() -> {});
  }

  /**
   * @param first what to do the moment it is asked for, before anything has stopped
   */
  public static Interruption ofThisThread(Runnable first) {
    return ofThisThread(first, () -> false);
  }

  /**
   * @param first what to do the moment it is asked for, before anything has stopped
   * @param stop stops what is under way in a way of its own; false if the thread is to be
   *     interrupted
   */
  public static Interruption ofThisThread(Runnable first, BooleanSupplier stop) {
    return new Interruption(Thread.currentThread(), first, stop, true);
  }

  /** Heeds requests to end only: Ctrl-C is meant for the process that has started this one. */
  public static Interruption ofLaunchedThread(BooleanSupplier stop) {
    return new Interruption(Thread.currentThread(), () -> {}, stop, false);
  }

  /** Whether this process was asked to stop. */
  public boolean hasHappened() {
    return asked;
  }

  /** With what to end: {@link #EXIT_CODE} after Ctrl-C, {@link #TERMINATED} after a request. */
  public int exitCode() {
    return exitCode == 0 ? EXIT_CODE : exitCode;
  }

  @Override
  public void close() {
    Signal.handle(interrupt, oldInterrupt);
    Signal.handle(terminate, oldTerminate);
  }
}
