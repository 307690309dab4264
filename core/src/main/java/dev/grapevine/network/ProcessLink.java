package dev.grapevine.network;

import dev.grapevine.message.Message;
import dev.grapevine.security.LinkChannel;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The connection to one other process, which carries the messages of all nodes of both. */
final class ProcessLink {

  /** A frame without a payload that must not wait behind messages in the thread that wants it. */
  private record Notice(FrameKind kind, int receiver, int sender) {}

  private final LinkChannel channel;
  private final int worker;
  private final FrameChannel frames;
  private final ReentrantLock writing = new ReentrantLock();
  private final ReentrantLock pausing = new ReentrantLock();
  private final Condition resumed = pausing.newCondition();
  private final Set<Integer> paused = new HashSet<>();
  private final LinkedBlockingQueue<Notice> notices = new LinkedBlockingQueue<>();
  private final CountDownLatch read = new CountDownLatch(1);
  private boolean closed;

  ProcessLink(LinkChannel channel, int worker, int nodes, int limit, FrameChannel.Several several) {
    this.channel = channel;
    this.worker = worker;
    this.frames = new FrameChannel(channel, nodes, limit, several);
  }

  /** Nothing that comes over it is taken any more. */
  void isRead() {
    read.countDown();
  }

  /** Waits until nothing that comes over it is taken any more. */
  void awaitRead() throws InterruptedException {
    read.await();
  }

  int worker() {
    return worker;
  }

  /** For the one thread that reads. */
  FrameChannel frames() {
    return frames;
  }

  /** Sends a message; waits while its receiver has asked for a pause. */
  void send(int receiver, Message message) throws IOException, InterruptedException {
    pausing.lockInterruptibly();
    try {
      while (paused.contains(receiver) && !closed) {
        resumed.await();
      }
      if (closed) {
        throw new IOException("worker %d is gone".formatted(worker));
      }
    } finally {
      pausing.unlock();
    }
    writing.lockInterruptibly();
    try {
      frames.write(receiver, message);
    } finally {
      writing.unlock();
    }
  }

  /** The other end asks to be sent nothing for a node, or something again. */
  void pause(int receiver, boolean pauses) {
    pausing.lock();
    try {
      if (pauses) {
        paused.add(receiver);
      } else {
        paused.remove(receiver);
        resumed.signalAll();
      }
    } finally {
      pausing.unlock();
    }
  }

  /** Asks the other end to send nothing more for a node, or to go on; does not wait. */
  void ask(FrameKind kind, int receiver) {
    notices.add(new Notice(kind, receiver, receiver));
  }

  void sayGoodbye(int node) {
    writing.lock();
    try {
      frames.write(FrameKind.GOODBYE, node, node);
    } catch (IOException e) {
      // Whoever reads finds out, and nobody there needs a goodbye any more.
      return;
    } finally {
      writing.unlock();
    }
  }

  /**
   * Writes notices until the connection ends. They have a thread of their own: were it the one that
   * reads, two ends that ask each other for a pause could wait for each other for ever.
   */
  void writeNotices() {
    try {
      while (true) {
        Notice notice = notices.take();
        writing.lockInterruptibly();
        try {
          frames.write(notice.kind(), notice.receiver(), notice.sender());
        } finally {
          writing.unlock();
        }
      }
    } catch (InterruptedException | IOException e) {
      // The one who reads tells.
      return;
    }
  }

  /** Closes it; false if it has been before. */
  boolean close() {
    pausing.lock();
    try {
      if (closed) {
        return false;
      }
      closed = true;
      resumed.signalAll();
    } finally {
      pausing.unlock();
    }
    try {
      channel.close();
    } catch (IOException e) {
      // It is gone either way.
      return true;
    }
    return true;
  }
}
