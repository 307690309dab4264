package dev.grapevine.network;

import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.Message;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Where messages for one node wait that its mailbox has no room for, in the order in which they
 * came. When much waits, those who sent it are asked to pause; when nothing waits any more, to go
 * on. What is on its way by then still comes; only one who does not listen gets over the limit.
 */
final class Parking {

  /** When senders are asked to pause, in bytes and messages. */
  private static final long MUCH = 16L << 20;

  private static final int MANY = 1024;

  /** What nobody gets to who pauses when asked. */
  private static final long LIMIT = Math.max(256L << 20, Runtime.getRuntime().maxMemory() / 4);

  /** What waits: a message, or the goodbye of a peer. */
  private record Waiting(@Nullable Message message, int peer) {

    long size() {
      return FrameHeader.framed(1, message == null ? 0 : message.payload().size());
    }
  }

  private final int node;
  private final Inbox inbox;
  private final ExecutorService threads;
  private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
  private final Set<ProcessLink> asked = new HashSet<>();
  private long bytes;
  private boolean draining;

  Parking(int node, Inbox inbox, ExecutorService threads) {
    this.node = node;
    this.inbox = inbox;
    this.threads = threads;
  }

  /** Hands a message on or keeps it; never waits. */
  synchronized void take(Message message, ProcessLink from) {
    if (waiting.isEmpty() && inbox.offer(node, message)) {
      return;
    }
    park(new Waiting(message, message.sender()));
    if ((bytes > MUCH || waiting.size() > MANY) && asked.add(from)) {
      from.ask(FrameKind.PAUSE, node);
    }
    if (bytes > LIMIT) {
      throw new MalformedPayloadException(
          "node %d cannot take more, and its senders do not pause: bytes=%d, limit=%d"
              .formatted(node, bytes, LIMIT));
    }
  }

  /** A goodbye comes after all that its peer has sent. */
  synchronized void hearGoodbye(int peer) {
    if (waiting.isEmpty()) {
      inbox.gone(node, peer);
    } else {
      park(new Waiting(null, peer));
    }
  }

  /** Forgets the messages of some senders; returns when none of them is being handed on. */
  synchronized void forget(IntPredicate isOfThem) throws InterruptedException {
    Iterator<Waiting> each = waiting.iterator();
    // The first is being handed on.
    Waiting first = each.hasNext() ? each.next() : null;
    while (each.hasNext()) {
      Waiting one = each.next();
      if (isMessageOf(one, isOfThem)) {
        each.remove();
        bytes -= one.size();
      }
    }
    while (first != null && isMessageOf(first, isOfThem)) {
      wait();
      first = waiting.peek();
    }
  }

  private static boolean isMessageOf(Waiting one, IntPredicate senders) {
    return one.message() != null && senders.test(one.peer());
  }

  private void park(Waiting one) {
    waiting.add(one);
    bytes += one.size();
    if (!draining) {
      draining = true;
      threads.execute(this::drain);
    }
  }

  private void drain() {
    try {
      for (Waiting next = next(); next != null; next = next()) {
        Message message = next.message();
        if (message == null) {
          inbox.gone(node, next.peer());
        } else {
          inbox.deliver(node, message);
        }
        done(next);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** What is next, which stays until it is done, so that nothing overtakes it. */
  private synchronized @Nullable Waiting next() {
    Waiting next = waiting.peek();
    if (next == null) {
      draining = false;
      asked.forEach(link -> link.ask(FrameKind.RESUME, node));
      asked.clear();
    }
    return next;
  }

  private synchronized void done(Waiting one) {
    waiting.poll();
    bytes -= one.size();
    notifyAll();
  }
}
