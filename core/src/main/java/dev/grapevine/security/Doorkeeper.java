package dev.grapevine.security;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Bounds the connections whose other end has not yet proved who it is. When there are too many, the
 * one that has been at it longest is closed: members of the run need milliseconds, so that it is a
 * stranger's. Their number, not their patience, is what uses up the descriptors of a process; time
 * is bounded by {@link LinkSecurity}.
 */
public final class Doorkeeper {

  /** How many refusals are told in full; a flood of strangers must not become one of log lines. */
  private static final int TOLD = 10;

  private final int limit;
  private final Set<SocketChannel> unknown = new LinkedHashSet<>();
  private int refusals;

  public Doorkeeper(int limit) {
    this.limit = limit;
  }

  /** A connection has come in; may close another. */
  public synchronized void arrived(SocketChannel socket) {
    unknown.add(socket);
    if (unknown.size() > limit) {
      closeOldest();
    }
  }

  private void closeOldest() {
    Iterator<SocketChannel> oldest = unknown.iterator();
    SocketChannel socket = oldest.next();
    oldest.remove();
    try {
      socket.close();
    } catch (IOException e) {
      // It is gone either way.
      return;
    }
  }

  /** The other end of a connection has proved who it is, or was turned away. */
  public synchronized void settled(SocketChannel socket) {
    unknown.remove(socket);
  }

  /** Closes half of those whose other end is unknown, when the process has no descriptors left. */
  public synchronized void makeRoom() {
    for (int i = (unknown.size() + 1) / 2; i > 0; i--) {
      closeOldest();
    }
  }

  /** What to tell of a refusal; empty if enough was told. */
  public synchronized Optional<String> tell(String reason) {
    refusals++;
    return refusals > TOLD
        ? Optional.empty()
        : Optional.of(
            refusals < TOLD ? reason : reason + " (nothing more will be said about strangers)");
  }

  /** How many connections there are now whose other end is unknown. */
  synchronized int waiting() {
    return unknown.size();
  }
}
