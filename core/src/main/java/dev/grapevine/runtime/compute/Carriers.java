package dev.grapevine.runtime.compute;

import java.lang.management.ManagementFactory;
import jdk.management.VirtualThreadSchedulerMXBean;

/**
 * While a simulation runs, virtual threads share one carrier: only one of them can go on at a time,
 * and with a second carrier every hand-over wakes it, so that it competes for the node, for the
 * nodes' cache lines and for the core that should train. Only speed depends on this. The scheduler
 * belongs to the whole process, hence the shared count of who needs it.
 */
public final class Carriers implements AutoCloseable {

  private static final Object LOCK = new Object();
  private static int users;
  private static int usual;

  /** Carriers that are lost for good to code that does not end. */
  private static int never;

  private Carriers() {}

  /** Asks for one carrier, until closed. */
  public static Carriers one() {
    synchronized (LOCK) {
      if (users++ == 0) {
        VirtualThreadSchedulerMXBean scheduler = scheduler();
        usual = scheduler.getParallelism();
        scheduler.setParallelism(1 + never);
      }
    }
    return new Carriers();
  }

  /** Makes up for carriers that virtual threads without end will not give back. */
  public static void replace(int lost) {
    synchronized (LOCK) {
      usual += lost;
      never += lost;
      scheduler().setParallelism(scheduler().getParallelism() + lost);
    }
  }

  @Override
  public void close() {
    synchronized (LOCK) {
      if (--users == 0) {
        scheduler().setParallelism(usual);
      }
    }
  }

  private static VirtualThreadSchedulerMXBean scheduler() {
    return ManagementFactory.getPlatformMXBean(VirtualThreadSchedulerMXBean.class);
  }
}
