package dev.grapevine.scratch;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Lends {@link Scratch} to whoever computes: there are as many as work at the same time. Safe for
 * many threads; neither borrowing nor giving back waits or allocates once there are enough.
 */
public final class ScratchPool {

  /** More than work at once on any sensible machine; what does not fit is garbage. */
  private static final int MOST = 64;

  private final AtomicReferenceArray<Scratch> free = new AtomicReferenceArray<>(MOST);

  /** One that nobody else has until it is closed. */
  public Scratch borrow() {
    for (int i = 0; i < MOST; i++) {
      Scratch held = free.getPlain(i);
      if (held != null && free.compareAndSet(i, held, null)) {
        return held;
      }
    }
    return new Scratch(this);
  }

  void giveBack(Scratch scratch) {
    for (int i = 0; i < MOST; i++) {
      if (free.getPlain(i) == null && free.compareAndSet(i, null, scratch)) {
        return;
      }
    }
  }
}
