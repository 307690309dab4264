package dev.grapevine.network;

import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.Message;
import dev.grapevine.security.Arrival;
import dev.grapevine.security.LinkChannel;
import java.io.IOException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One end of a connection between two nodes. Blocking calls park the virtual thread that makes
 * them, so that a slow receiver slows its senders down.
 */
final class TcpLink {

  private final LinkChannel channel;
  private final int local;
  private final int peer;
  private final ReentrantLock writing = new ReentrantLock();
  private final FrameChannel frames;
  private boolean sealed;
  private volatile long lastUse;

  /**
   * @param use when it was made, in the count of uses: a new link is not one to close for its age
   */
  TcpLink(LinkChannel channel, FrameChannel frames, int local, int peer, long use) {
    this.channel = channel;
    this.frames = frames;
    this.local = local;
    this.peer = peer;
    this.lastUse = use;
  }

  int local() {
    return local;
  }

  int peer() {
    return peer;
  }

  long lastUse() {
    return lastUse;
  }

  /**
   * Lets the peer in.
   *
   * @param register makes the link known; nobody can seal it before the answer is on its way
   */
  void welcome(Arrival arrival, Runnable register) throws IOException {
    writing.lock();
    try {
      register.run();
      arrival.welcome();
    } finally {
      writing.unlock();
    }
  }

  /** Sends a message; false if the link has been sealed and another must be opened. */
  boolean send(Message message, long use, Transport.Gate gate)
      throws IOException, InterruptedException {
    lastUse = use;
    return write(() -> frames.write(peer, message, gate));
  }

  /** Says that the local node will send no more; false if the link has been sealed. */
  boolean sayGoodbye() throws IOException, InterruptedException {
    return write(() -> frames.write(FrameKind.GOODBYE, local, local));
  }

  @FunctionalInterface
  private interface Writing {
    void write() throws IOException, InterruptedException;
  }

  private boolean write(Writing frame) throws IOException, InterruptedException {
    writing.lockInterruptibly();
    try {
      if (sealed) {
        return false;
      }
      frame.write();
      return true;
    } finally {
      writing.unlock();
    }
  }

  /** Sends no more; what the peer has sent before it notices still arrives. */
  void seal() {
    writing.lock();
    try {
      if (!sealed) {
        sealed = true;
        channel.shutdownOutput();
      }
    } catch (IOException e) {
      close();
    } finally {
      writing.unlock();
    }
  }

  /** Like {@link #seal}, unless the link is just being written to. */
  boolean trySeal() {
    if (!writing.tryLock()) {
      return false;
    }
    try {
      seal();
      return true;
    } finally {
      writing.unlock();
    }
  }

  void close() {
    try {
      channel.close();
    } catch (IOException e) {
      // Nothing is lost: the peer sees the end of the stream either way.
      return;
    }
  }

  /** Hands everything that arrives to the inbox, until the peer ends the stream. */
  void readAll(Inbox inbox) throws IOException, InterruptedException {
    for (FrameHeader header = frames.readHeader(); header != null; header = frames.readHeader()) {
      FrameChannel.require(
          header.sender() == peer,
          "a frame of someone else: sender=%d, peer=%d",
          header.sender(),
          peer);
      switch (header.kind()) {
        case MESSAGE -> {
          FrameChannel.require(
              header.receiver() == local,
              "a frame for someone else: receiver=%d, node=%d",
              header.receiver(),
              local);
          inbox.deliver(local, frames.readMessage(header));
        }
        case GOODBYE -> inbox.gone(local, peer);
        case PAUSE, RESUME, SAME ->
            throw new MalformedPayloadException("not between single nodes: kind=" + header.kind());
      }
    }
  }
}
