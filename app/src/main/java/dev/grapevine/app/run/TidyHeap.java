package dev.grapevine.app.run;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryNotificationInfo;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import javax.management.ListenerNotFoundException;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import org.jspecify.annotations.Nullable;

/**
 * Collects garbage before it piles up. Messages that outlive their first collection go to the old
 * generation, and the collector rather lets that grow to all the memory it may have than clear it:
 * a long run of 48 small models took 10 GB of which half a gigabyte was alive. While this is open,
 * the old generation is cleared whenever it holds twice what was alive the last time.
 */
public final class TidyHeap implements AutoCloseable {

  /** Up to this, in bytes, garbage may lie around: small runs are never stopped for it. */
  private static final long LEAST = 192L << 20;

  /** However many processes share that. */
  private static final long LEAST_OF_MANY = 32L << 20;

  /** What the parallel and the serial collector call what lives long. */
  private static final Set<String> OLD = Set.of("PS Old Gen", "Tenured Gen");

  private final long least;
  private final @Nullable MemoryPoolMXBean old;
  private final Semaphore full = new Semaphore(0);
  private final NotificationListener listener =
      (notification, handback) -> {
        if (notification.getType().equals(MemoryNotificationInfo.MEMORY_THRESHOLD_EXCEEDED)) {
          full.release();
        }
      };
  private final @Nullable Thread collector;

  private TidyHeap(Optional<MemoryPoolMXBean> pool, long least) {
    this.least = least;
    old = pool.orElse(null);
    if (old == null) {
      collector = null;
      return;
    }
    emitter().addNotificationListener(listener, null, null);
    old.setUsageThreshold(limit(0, room(old), least));
    collector = Thread.ofPlatform().daemon().name("tidy-heap").start(this::collect);
  }

  /** Keeps the heap of this process tidy, if its collector is one that does not do so itself. */
  public static TidyHeap open() {
    return ofOneOf(1);
  }

  /** The same for one of several processes that share a machine. */
  public static TidyHeap ofOneOf(int processes) {
    return new TidyHeap(
        ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP)
            .filter(pool -> OLD.contains(pool.getName()))
            .filter(MemoryPoolMXBean::isUsageThresholdSupported)
            .findFirst(),
        Math.max(LEAST_OF_MANY, LEAST / processes));
  }

  /**
   * How full the old generation may become.
   *
   * @param alive how many bytes of it were alive when it was last cleared
   * @param room its largest size
   * @param least up to which it is never cleared
   */
  static long limit(long alive, long room, long least) {
    return Math.min(room, Math.max(least, 2 * alive));
  }

  private void collect() {
    MemoryPoolMXBean pool = old;
    try {
      while (pool != null) {
        full.acquire();
        full.drainPermits();
        // Lifted meanwhile: one call a filling.
        pool.setUsageThreshold(0);
        System.gc();
        pool.setUsageThreshold(limit(pool.getUsage().getUsed(), room(pool), least));
      }
    } catch (InterruptedException closed) {
      pool.setUsageThreshold(0);
    }
  }

  private static long room(MemoryPoolMXBean pool) {
    MemoryUsage usage = pool.getUsage();
    return usage.getMax() < 0 ? usage.getCommitted() : usage.getMax();
  }

  private static NotificationEmitter emitter() {
    return (NotificationEmitter) ManagementFactory.getMemoryMXBean();
  }

  @Override
  public void close() {
    if (collector == null) {
      return;
    }
    try {
      emitter().removeNotificationListener(listener);
    } catch (ListenerNotFoundException e) {
      throw new IllegalStateException("closed twice", e);
    }
    collector.interrupt();
  }
}
