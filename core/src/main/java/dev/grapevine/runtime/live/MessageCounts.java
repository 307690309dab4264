package dev.grapevine.runtime.live;

import java.util.concurrent.atomic.AtomicLongArray;

/** Messages that nodes of this process have sent and taken, by the worker at the other end. */
final class MessageCounts {

  private final AtomicLongArray sent;
  private final AtomicLongArray settled;

  MessageCounts(int workers) {
    sent = new AtomicLongArray(workers);
    settled = new AtomicLongArray(workers);
  }

  void sent(int worker) {
    sent.incrementAndGet(worker);
  }

  /** It was lost before it left. */
  void unsent(int worker) {
    sent.decrementAndGet(worker);
  }

  void settled(int worker) {
    settled.incrementAndGet(worker);
  }

  /** Begins anew with a worker whose process is another one now. */
  void forget(int worker) {
    sent.set(worker, 0);
    settled.set(worker, 0);
  }

  long allSent() {
    return sum(sent);
  }

  long allSettled() {
    return sum(settled);
  }

  long[] sent() {
    return copy(sent);
  }

  long[] settled() {
    return copy(settled);
  }

  private static long sum(AtomicLongArray counts) {
    long sum = 0;
    for (int i = 0; i < counts.length(); i++) {
      sum += counts.get(i);
    }
    return sum;
  }

  private static long[] copy(AtomicLongArray counts) {
    long[] copy = new long[counts.length()];
    for (int i = 0; i < copy.length; i++) {
      copy[i] = counts.get(i);
    }
    return copy;
  }
}
