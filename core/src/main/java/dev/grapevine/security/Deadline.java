package dev.grapevine.security;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;

/** Closes a connection unless the deadline is closed in time. */
final class Deadline implements AutoCloseable {

  /** As much as one may still have on its way that has not heard our last word. */
  private static final int FAREWELL = 1 << 16;

  private final Thread watcher;
  private volatile boolean passed;

  private Deadline(SocketChannel socket, Duration patience) {
    watcher =
        Thread.ofVirtual()
            .name("deadline")
            .start(() -> {
              try {
                Thread.sleep(patience);
                passed = true;
                socket.close();
              } catch (InterruptedException inTime) {
                return;
              } catch (IOException gone) {
                // It is gone either way.
                return;
              }
            });
  }

  static Deadline of(SocketChannel socket, Duration patience) {
    return new Deadline(socket, patience);
  }

  /**
   * Closes a socket to which a last word was written, when the other end has had time to read it: a
   * system that closes a socket with unread bytes may throw away what it was to send.
   */
  static void close(SocketChannel socket, Duration patience) throws IOException {
    try (socket;
        Deadline deadline = of(socket, patience)) {
      socket.shutdownOutput();
      ByteBuffer ignored = ByteBuffer.allocate(FAREWELL);
      while (ignored.hasRemaining() && socket.read(ignored) >= 0 && !deadline.hasPassed()) {
        continue;
      }
    } catch (IOException gone) {
      // It has left by itself.
      return;
    }
  }

  boolean hasPassed() {
    return passed;
  }

  @Override
  public void close() {
    watcher.interrupt();
  }
}
