package dev.grapevine.runtime;

import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CopyOnWriteArrayList;
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
  private final List<Thread> threads = new CopyOnWriteArrayList<>();
  private volatile boolean stopped;

  /**
   * @param threads how many; 0 for one a core
   */
  ComputePool(int threads) {
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

  ComputeTask submit(Runnable work, long urgency) {
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

  /** Asks work under way to end early, by an interrupt, and skips what has not begun. */
  void stop() {
    stopped = true;
    threads.forEach(Thread::interrupt);
  }

  /** Waits for all work to end. */
  @Override
  public void close() {
    executor.close();
  }
}
