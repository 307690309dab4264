package dev.grapevine.runtime.compute;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A piece of work for a compute thread, and a place to wait for its end. */
public final class ComputeTask implements Runnable, Comparable<ComputeTask> {

  private final Runnable work;
  private final long urgency;
  private final long sequence;
  private long nanos;
  private @Nullable Throwable failure;
  private volatile @Nullable Thread runner;
  private volatile boolean done;
  private volatile @Nullable Thread waiter;
  private volatile @Nullable Runnable listener;

  /**
   * @param urgency what is less is done first; never changes a result
   * @param sequence decides among the equally urgent
   */
  public ComputeTask(Runnable work, long urgency, long sequence) {
    this.work = work;
    this.urgency = urgency;
    this.sequence = sequence;
  }

  @Override
  @SuppressWarnings("CatchingUnchecked") // whatever a node's work throws is the node's failure
  public void run() {
    long start = System.nanoTime();
    runner = Thread.currentThread();
    try {
      work.run();
    } catch (Throwable thrown) {
      failure = thrown;
    }
    runner = null;
    nanos = System.nanoTime() - start;
    done = true;
    Thread waiting = waiter;
    if (waiting != null) {
      LockSupport.unpark(waiting);
    }
    Runnable told = listener;
    if (told != null) {
      told.run();
    }
  }

  /** The thread that does the work, while it does. */
  public @Nullable Thread runner() {
    return runner;
  }

  public boolean hasEnded() {
    return done;
  }

  /** Runs {@code listener} at the end, or not at all if that is over; ask {@link #hasEnded} too. */
  public void whenEnded(Runnable listener) {
    this.listener = listener;
  }

  /** Waits for the end, whatever happens. */
  public void join() {
    waiter = Thread.currentThread();
    boolean interrupted = false;
    while (!done) {
      LockSupport.park(this);
      // An interrupted thread never parks: without clearing, this loop would spin.
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits for the end or an interrupt. */
  public void joinInterruptibly() throws InterruptedException {
    waiter = Thread.currentThread();
    while (!done) {
      LockSupport.park(this);
      if (!done && Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
  }

  /** Throws what the work threw. */
  public void rethrow() {
    switch (failure) {
      case null -> {}
      case RuntimeException unchecked -> throw unchecked;
      case Error error -> throw error;
      case Throwable checked -> throw new IllegalStateException(checked);
    }
  }

  /** How long the work took; known once it has ended. */
  public long nanos() {
    return nanos;
  }

  @Override
  public int compareTo(ComputeTask other) {
    int byUrgency = Long.compare(urgency, other.urgency);
    return byUrgency != 0 ? byUrgency : Long.compare(sequence, other.sequence);
  }
}
