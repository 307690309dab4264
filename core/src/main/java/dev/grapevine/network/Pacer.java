package dev.grapevine.network;

import dev.grapevine.message.Message;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Makes the links of a live run as slow as a link model says, at the sender: a message is held back
 * until its last byte would have left the sender's uplink, which all of its messages share, and for
 * its delay. Then the transport below carries it, as fast as it can. What that takes is part of the
 * delay, not more of it: a message goes as much earlier as the last ones took, but not before it
 * has left the uplink. So the same {@code [network]} means the same in a live run as in a simulated
 * one, but for the downlink, which only a receiver could hold back: it counts in simulation alone.
 * A message that the model loses is not sent.
 */
public final class Pacer implements Transport {

  private static final int MEAN_OVER = 8;

  private final Transport transport;
  private final LinkModel links;
  private final long start = System.nanoTime();
  private final Map<Integer, Sender> senders = new HashMap<>();
  private volatile boolean closed;

  /**
   * @param transport what carries messages once they may go
   * @param links what to be as slow as
   */
  public Pacer(Transport transport, LinkModel links) {
    this.transport = transport;
    this.links = links;
  }

  private long now() {
    return System.nanoTime() - start;
  }

  private Sender sender(int node) {
    synchronized (senders) {
      return senders.computeIfAbsent(node, Sender::new);
    }
  }

  @Override
  public void send(int receiver, Message message) throws IOException {
    sender(message.sender()).send(receiver, message);
  }

  @Override
  public void sayGoodbye(int node) {
    // Whoever hears a goodbye waits for nothing more: what was sent before must be there before.
    sender(node).awaitAllPassed();
    transport.sayGoodbye(node);
  }

  @Override
  public void close() {
    closed = true;
    List<Sender> all;
    synchronized (senders) {
      all = List.copyOf(senders.values());
    }
    all.forEach(Sender::end);
    transport.close();
  }

  /** A message that waits for its time. */
  private record Held(int receiver, Message message, long delay) {}

  /** One that has left the uplink, and how much later it is to arrive. */
  record Landing(Message message, long departed, long delay) {

    /** When to hand it to a transport that takes so long. */
    long release(long carrying) {
      return departed + Math.max(0, delay - carrying);
    }
  }

  /** A node's uplink, and its lanes to others; messages of a lane keep their order. */
  private final class Sender {

    private final int node;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final SharedUplink<Held> uplink;
    private final Map<Integer, Deque<Landing>> lanes = new HashMap<>();
    private final Map<Integer, Thread> threads = new HashMap<>();
    private @Nullable Thread departures;
    private long ordinal;
    private int pending;

    /** How long the transport takes with a message, in the mean over the last few. */
    private long carrying;

    Sender(int node) {
      this.node = node;
      this.uplink = new SharedUplink<>(links.uplink(node, now()));
    }

    void send(int receiver, Message message) throws IOException {
      long now = now();
      lock.lock();
      try {
        long delay = links.latency(node, receiver, now, ordinal++);
        if (closed || delay == LinkModel.LOST) {
          throw new IOException(closed ? "the run is over" : "lost, as [network] asks for");
        }
        pending++;
        if (links.limitsBandwidth()) {
          uplink.add(
              new Held(receiver, message, delay),
              FrameHeader.framed(1, message.payload().size()),
              now);
          if (departures == null) {
            departures = Thread.ofVirtual().name("uplink-" + node).start(this::depart);
          }
        } else {
          land(receiver, new Landing(message, now, delay));
        }
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }

    private void land(int receiver, Landing landing) {
      lanes.computeIfAbsent(receiver, r -> new ArrayDeque<>()).add(landing);
      threads.computeIfAbsent(
          receiver, r -> Thread.ofVirtual().name("lane-" + node + "-" + r).start(() -> deliver(r)));
    }

    /** Puts messages into their lanes as their last bytes leave. */
    private void depart() {
      lock.lock();
      try {
        while (!closed) {
          long now = now();
          uplink.setRate(links.uplink(node, now), now);
          for (SharedUplink.Departed<Held> departed : uplink.departed(now)) {
            Held held = departed.what();
            land(held.receiver, new Landing(held.message, departed.time(), held.delay));
            changed.signalAll();
          }
          long next = Math.min(uplink.nextDeparture(now), links.nextChange(now));
          if (next == SharedUplink.NEVER) {
            changed.await();
          } else {
            changed.awaitNanos(Math.max(1, next - now()));
          }
        }
      } catch (InterruptedException e) {
        // The run is over.
      } finally {
        lock.unlock();
      }
    }

    /** Carries the messages of one lane over, each when its delay is over. */
    private void deliver(int receiver) {
      try {
        while (!closed) {
          Message message = next(receiver);
          long begun = now();
          try {
            transport.send(receiver, message);
          } catch (IOException e) {
            System.getLogger(Pacer.class.getName())
                .log(
                    System.Logger.Level.DEBUG,
                    "message from node {0} to node {1} is lost: {2}",
                    node,
                    receiver,
                    e.getMessage());
          }
          passed(now() - begun);
        }
      } catch (InterruptedException e) {
        // The run is over.
      }
    }

    private Message next(int receiver) throws InterruptedException {
      lock.lock();
      try {
        Deque<Landing> lane = lanes.computeIfAbsent(receiver, r -> new ArrayDeque<>());
        while (true) {
          Landing first = lane.peek();
          long wait = first == null ? Long.MAX_VALUE : first.release(carrying) - now();
          if (first != null && wait <= 0) {
            return lane.remove().message;
          }
          if (first == null) {
            changed.await();
          } else {
            changed.awaitNanos(wait);
          }
        }
      } finally {
        lock.unlock();
      }
    }

    private void passed(long took) {
      lock.lock();
      try {
        carrying += (took - carrying) / MEAN_OVER;
        pending--;
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }

    void awaitAllPassed() {
      lock.lock();
      try {
        while (pending > 0 && !closed) {
          changed.await();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } finally {
        lock.unlock();
      }
    }

    void end() {
      lock.lock();
      try {
        changed.signalAll();
        threads.values().forEach(Thread::interrupt);
        if (departures != null) {
          departures.interrupt();
        }
      } finally {
        lock.unlock();
      }
    }
  }
}
