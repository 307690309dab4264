package dev.grapevine.runtime;

import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** The platform threads that do the real work, most urgent first. */
final class ComputePool implements AutoCloseable {

  private final ThreadPoolExecutor executor;
  private final AtomicLong sequence = new AtomicLong();
  private final AtomicInteger pending = new AtomicInteger();

  /**
   * @param threads how many; 0 for one a core
   */
  ComputePool(int threads) {
    int size = threads == 0 ? Runtime.getRuntime().availableProcessors() : threads;
    executor =
        new ThreadPoolExecutor(
            size,
            size,
            0,
            TimeUnit.SECONDS,
            new PriorityBlockingQueue<>(),
            Thread.ofPlatform().daemon().name("compute-", 0).factory());
  }

  ComputeTask submit(Runnable work, long urgency) {
    pending.incrementAndGet();
    ComputeTask task =
        new ComputeTask(
            () -> {
              try {
                work.run();
              } finally {
                pending.decrementAndGet();
              }
            },
            urgency,
            sequence.getAndIncrement());
    executor.execute(task);
    return task;
  }

  /** How much work is waiting or under way. */
  int pending() {
    return pending.get();
  }

  /** Waits for all work to end. */
  @Override
  public void close() {
    executor.close();
  }
}
