package dev.grapevine.cluster;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * What a worker has to tell the coordinator, in order. Events are gathered and sent each second;
 * the rest goes at once, after the events before it. Nodes only leave things here: a thread that
 * may be interrupted would close the connection.
 */
final class Outbox {

  private static final long NANOS_BETWEEN_EVENTS = TimeUnit.SECONDS.toNanos(1);

  /** Beyond this, events do not wait for their second. */
  private static final int MANY = 500;

  /** Something to send: either of the two. */
  private sealed interface Item {}

  private record Happened(Event event) implements Item {}

  private record Said(Control message) implements Item {}

  private record Closed() implements Item {}

  private final LinkedBlockingQueue<Item> items = new LinkedBlockingQueue<>();
  private final ControlChannel channel;
  private final LongSupplier clock;
  private final List<Event> events = new ArrayList<>();
  private long next = System.nanoTime() + NANOS_BETWEEN_EVENTS;

  /**
   * @param clock time on the run's clock, in ns; {@link Long#MIN_VALUE} before it begins
   */
  Outbox(ControlChannel channel, LongSupplier clock) {
    this.channel = channel;
    this.clock = clock;
    Thread.ofPlatform().daemon().name("reports").start(this::send);
  }

  void add(Event event) {
    items.add(new Happened(event));
  }

  void add(Control message) {
    items.add(new Said(message));
  }

  void close() {
    items.add(new Closed());
  }

  private void send() {
    try {
      while (true) {
        Item item = items.poll(next - System.nanoTime(), TimeUnit.NANOSECONDS);
        if (item != null && !take(item)) {
          return;
        }
        if (System.nanoTime() - next >= 0) {
          // Whatever has happened until now is in the queue, or is told late and does no harm.
          long until = clock.getAsLong();
          for (int left = items.size(); left > 0; left--) {
            if (!take(items.take())) {
              return;
            }
          }
          flush(until);
          next = System.nanoTime() + NANOS_BETWEEN_EVENTS;
        }
      }
    } catch (IOException | InterruptedException e) {
      // The one who listens to the coordinator tells.
      return;
    }
  }

  /** Sends or keeps one thing; false if it was the last. */
  private boolean take(Item item) throws IOException {
    switch (item) {
      case Happened happened -> {
        events.add(happened.event());
        if (events.size() >= MANY) {
          flush(Long.MIN_VALUE);
        }
      }
      case Said said -> {
        flush(Long.MIN_VALUE);
        channel.send(said.message());
      }
      case Closed _ -> {
        return false;
      }
    }
    return true;
  }

  /** Sends the events that were gathered, and up to when they are all there are. */
  private void flush(long until) throws IOException {
    if (!events.isEmpty() || until != Long.MIN_VALUE) {
      channel.send(new Control.Events(List.copyOf(events), until));
      events.clear();
    }
  }
}
