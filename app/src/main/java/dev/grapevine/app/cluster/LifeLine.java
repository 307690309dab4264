package dev.grapevine.app.cluster;

import dev.grapevine.cluster.ExitCode;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Ends this process when its standard input ends, which the launcher holds open as long as it
 * lives: nothing is left running when the launcher, or the connection to it, is gone.
 */
final class LifeLine implements AutoCloseable {

  /** How long the worker may take to stop by itself. */
  private static final Duration GRACE = Duration.ofSeconds(5);

  /** Tells the others, once there are any. */
  private volatile @Nullable Runnable farewell;

  private volatile boolean over;

  private LifeLine() {}

  static LifeLine none() {
    return new LifeLine();
  }

  static LifeLine ofStandardInput() {
    LifeLine line = new LifeLine();
    Thread worker = Thread.currentThread();
    Thread.ofPlatform().daemon().name("life-line").start(() -> line.watch(worker));
    return line;
  }

  /**
   * From now on the process takes part in a run, and needs a moment to keep its results.
   *
   * @param last tells those who are still there that this process ends
   */
  void joined(Runnable last) {
    farewell = last;
  }

  private void watch(Thread worker) {
    try {
      while (System.in.read() >= 0) {
        // Whatever is said, only the end counts.
        continue;
      }
    } catch (IOException ended) {
      // That is an end as well.
    }
    Runnable last = farewell;
    if (!over && last == null) {
      Runtime.getRuntime().halt(ExitCode.TRY_AGAIN);
    }
    if (!over && last != null) {
      last.run();
      worker.interrupt();
      try {
        Thread.sleep(GRACE);
      } catch (InterruptedException e) {
        return;
      }
      if (!over) {
        Runtime.getRuntime().halt(ExitCode.TRY_AGAIN);
      }
    }
  }

  @Override
  public void close() {
    over = true;
  }
}
