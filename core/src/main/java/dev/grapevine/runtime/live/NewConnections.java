package dev.grapevine.runtime.live;

import dev.grapevine.runtime.Company;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Keeps the counts of messages right where a worker that was lost comes back while all others go
 * on: its new process has sent and taken nothing yet. Safe for concurrent use.
 */
final class NewConnections implements Company.Comeback {

  /** Something that may have to wait for room at a receiver. */
  @FunctionalInterface
  interface Sending {
    void send() throws InterruptedException;
  }

  private final MessageCounts counts;

  /** Keeps a connection from being replaced while a message is counted and passed to it. */
  private final ReadWriteLock[] passing;

  NewConnections(int workers, MessageCounts counts) {
    this.counts = counts;
    passing = new ReadWriteLock[workers];
    for (int worker = 0; worker < workers; worker++) {
      passing[worker] = new ReentrantReadWriteLock();
    }
  }

  /** Counts and sends a message to a worker. */
  void pass(int worker, Sending sending) throws InterruptedException {
    Lock lock = passing[worker].readLock();
    lock.lockInterruptibly();
    try {
      sending.send();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void saved(int rounds) {
    // Nothing is kept.
  }

  @Override
  public void back(int worker, int rounds, Runnable connect) {
    Lock lock = passing[worker].writeLock();
    lock.lock();
    try {
      counts.forget(worker);
      connect.run();
    } finally {
      lock.unlock();
    }
  }
}
