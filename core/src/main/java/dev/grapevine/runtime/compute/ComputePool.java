package dev.grapevine.runtime.compute;

import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** The platform threads that do the real work, most urgent first. */
public final class ComputePool implements AutoCloseable {

  private final ThreadPoolExecutor executor;
  private final AtomicLong sequence = new AtomicLong();
  private final AtomicInteger pending = new AtomicInteger();
  private final AtomicLong completed = new AtomicLong();
  private final List<Thread> threads = new CopyOnWriteArrayList<>();
  private volatile boolean stopped;
  private volatile boolean abandoned;

  /**
   * @param threads how many; 0 for one a core
   */
  public ComputePool(int threads) {
    int size = threads == 0 ? Runtime.getRuntime().availableProcessors() : threads;
    executor =
        new ThreadPoolExecutor(
            size, size, 0, TimeUnit.SECONDS, new PriorityBlockingQueue<>(), this::thread);
  }

  private Thread thread(Runnable work) {
    Thread thread = Thread.ofPlatform().daemon().name("compute-" + threads.size()).unstarted(work);
    threads.add(thread);
    return thread;
  }

  public ComputeTask submit(Runnable work, long urgency) {
    pending.incrementAndGet();
    ComputeTask task =
        new ComputeTask(
            () -> {
              try {
                if (stopped) {
                  throw new CancellationException("the run was stopped");
                }
                work.run();
              } finally {
                pending.decrementAndGet();
                completed.incrementAndGet();
              }
            },
            urgency,
            sequence.getAndIncrement());
    executor.execute(task);
    return task;
  }

  /** How much work is waiting or under way. */
  public int pending() {
    return pending.get();
  }

  /** How much work has ended so far. */
  public long completed() {
    return completed.get();
  }

  /** Gives up on work under way that does not end; its threads do not keep the process alive. */
  public void abandon() {
    stop();
    abandoned = true;
  }

  /** Asks work under way to end early, by an interrupt, and skips what has not begun. */
  public void stop() {
    stopped = true;
    threads.forEach(Thread::interrupt);
  }

  /** Waits for all work to end, but for what was abandoned. */
  @Override
  public void close() {
    if (abandoned) {
      executor.shutdownNow();
    } else {
      executor.close();
    }
  }
}
