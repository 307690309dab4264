package dev.grapevine.runtime;

import dev.grapevine.runtime.compute.ComputeTask;
import dev.grapevine.settings.OwnCode;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Notices own code that computes without end. Only own code is suspected: training may take hours
 * between two signs of life, and an honest algorithm of ours ends. Used by one thread.
 */
public final class EndlessWork {

  /** How long own code may go on after the run was stopped, in ns. */
  public static final long GRACE = 2_000_000_000L;

  private long lastProgress = Long.MIN_VALUE;
  private long quietSince;

  /** How long nothing has happened. */
  public long quietFor(long progress, long now) {
    if (progress != lastProgress) {
      lastProgress = progress;
      quietSince = now;
    }
    return now - quietSince;
  }

  /** Begins to count anew: what is quiet turned out to be at honest work. */
  public void forgive(long now) {
    quietSince = now;
  }

  /** Where a node computes in own code, if it does. */
  public static Optional<String> describe(int node, @Nullable ComputeTask task, Thread own) {
    Thread worker = task == null ? null : task.runner();
    Thread thread = worker == null ? own : worker;
    if (thread.getState() != Thread.State.RUNNABLE) {
      return Optional.empty();
    }
    return OwnCode.frame(thread.getStackTrace())
        .map(frame ->
            "node %d computes without end in %s (%s)"
                .formatted(node, OwnCode.text(frame), frame.getMethodName()));
  }

  /** Whether a node's own thread, and with it a carrier, is lost to code that does not end. */
  public static boolean holdsCarrier(int node, @Nullable ComputeTask task, Thread own) {
    boolean works = task != null && task.runner() != null;
    return own.isAlive() && !works && describe(node, null, own).isPresent();
  }

  /** What to tell of a run that is given up. */
  public static String reason(String culprit, long stallAfter) {
    return "%s: nothing has happened for %s; set runtime.stall-after if it needs longer"
        .formatted(culprit, seconds(stallAfter));
  }

  private static String seconds(long nanos) {
    return nanos / 1_000_000_000L + " s";
  }
}
