package dev.grapevine.runtime.live;

import dev.grapevine.network.Transport;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * Goodbyes on their way. They are not counted as messages, yet those who wait for one may go on.
 */
final class Goodbyes {

  /** How long one may be on its way over a busy machine, in ns. */
  private static final long TRAVEL = 5_000_000_000L;

  private final LongSupplier clock;
  private final AtomicInteger being = new AtomicInteger();
  private volatile long last = Long.MIN_VALUE / 2;

  Goodbyes(LongSupplier clock) {
    this.clock = clock;
  }

  void say(int node, Transport transport) {
    being.incrementAndGet();
    transport.sayGoodbye(node);
    last = clock.getAsLong();
    being.decrementAndGet();
  }

  /** Whether one is being said. */
  boolean areBeingSaid() {
    return being.get() > 0;
  }

  /** Whether one may still be heard. */
  boolean travel() {
    return areBeingSaid() || clock.getAsLong() - last < TRAVEL;
  }
}
