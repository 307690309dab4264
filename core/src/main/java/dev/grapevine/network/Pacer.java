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
 * Makes the links of a live run as slow as a link model says, at the sender: the last byte of a
 * message is held back until it would have left the sender's uplink, which all of its messages
 * share, and for its delay. What the transport below takes to carry it is part of the delay, not
 * more of it: it goes as much earlier as the last ones took, but not before it has left the uplink.
 * So the same {@code [network]} means the same in a live run as in a simulated one, but for the
 * downlink, which only a receiver could hold back: it counts in simulation alone. A message that
 * the model loses is not sent.
 *
 * <p>The bytes before the last go piece by piece in the {@link #WINDOW} before, where the transport
 * can do that: messages that share uplinks evenly all end at the same moment, and would have to go
 * through this machine together then. The window is short, since whatever a node sends to the same
 * peer meanwhile has to wait, which a short message in a simulated run has not.
 */
public final class Pacer implements Transport {

  private static final int MEAN_OVER = 8;

  /** How long before its last byte the first one of a message may go, in ns. */
  private static final long WINDOW = 30_000_000;

  private static final long NOT_YET = Long.MAX_VALUE;

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

  /** When to let the last byte go over a transport that takes so long. */
  static long release(long departed, long delay, long carrying) {
    return departed + Math.max(0, delay - carrying);
  }

  /** When to let the first so many of a message's bytes go whose last one is to arrive then. */
  static long release(long arrival, int bytes, int size) {
    return arrival - WINDOW * (size - bytes) / Math.max(1, size);
  }

  /** A message on its way; only touched under its sender's lock. */
  private static final class Flight {

    private final int receiver;
    private final Message message;
    private final long delay;
    private boolean landed;

    /** When its last byte leaves the uplink, as was foretold when its first one went. */
    private long foretold;

    /** When it really did. */
    private long departed = NOT_YET;

    /** When the gate opened for its last byte. */
    private long opened;

    Flight(int receiver, Message message, long delay) {
      this.receiver = receiver;
      this.message = message;
      this.delay = delay;
    }

    long release(int bytes, long carrying) {
      int size = message.payload().size();
      if (bytes < size) {
        return Pacer.release(foretold + delay, bytes, size);
      }
      return departed == NOT_YET ? NOT_YET : Pacer.release(departed, delay, carrying);
    }
  }

  /** A node's uplink, and its lanes to others; messages of a lane keep their order. */
  private final class Sender {

    private final int node;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final SharedUplink<Flight> uplink;
    private final Map<Integer, Deque<Flight>> lanes = new HashMap<>();
    private final Map<Integer, Thread> threads = new HashMap<>();
    private @Nullable Thread departures;
    private long ordinal;
    private int pending;

    /** How long the transport takes with the end of a message, in the mean over the last few. */
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
        Flight flight = new Flight(receiver, message, delay);
        if (links.limitsBandwidth()) {
          uplink.add(flight, FrameHeader.framed(1, message.payload().size()), now);
          if (departures == null) {
            departures = Thread.ofVirtual().name("uplink-" + node).start(this::depart);
          }
        } else {
          flight.departed = now;
          land(flight, now);
        }
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }

    /** Puts a message into its lane, once. */
    private void land(Flight flight, long departure) {
      if (!flight.landed) {
        flight.landed = true;
        flight.foretold = departure;
        int receiver = flight.receiver;
        lanes.computeIfAbsent(receiver, r -> new ArrayDeque<>()).add(flight);
        threads.computeIfAbsent(
            receiver,
            r -> Thread.ofVirtual().name("lane-" + node + "-" + r).start(() -> deliver(r)));
      }
      changed.signalAll();
    }

    /** Puts messages into their lanes as their first bytes may go, and says when the last left. */
    private void depart() {
      lock.lock();
      try {
        while (!closed) {
          long now = now();
          uplink.setRate(links.uplink(node, now), now);
          for (SharedUplink.Departed<Flight> departed : uplink.departed(now)) {
            departed.what().departed = departed.time();
            land(departed.what(), departed.time());
          }
          long next = Math.min(uplink.nextDeparture(now), links.nextChange(now));
          for (SharedUplink.Departed<Flight> leaving : uplink.forecast(now)) {
            Flight flight = leaving.what();
            long begin = leaving.time() - Math.max(0, WINDOW - flight.delay);
            if (begin <= now) {
              land(flight, leaving.time());
            } else {
              next = Math.min(next, begin);
            }
          }
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

    /** Carries the messages of one lane over, one after the other. */
    private void deliver(int receiver) {
      try {
        while (!closed) {
          Flight flight = next(receiver);
          try {
            transport.send(receiver, flight.message, bytes -> await(flight, bytes));
          } catch (IOException e) {
            System.getLogger(Pacer.class.getName())
                .log(
                    System.Logger.Level.DEBUG,
                    "message from node {0} to node {1} is lost: {2}",
                    node,
                    receiver,
                    e.getMessage());
          }
          passed(flight);
        }
      } catch (InterruptedException e) {
        // The run is over.
      }
    }

    private Flight next(int receiver) throws InterruptedException {
      lock.lock();
      try {
        Deque<Flight> lane = lanes.computeIfAbsent(receiver, r -> new ArrayDeque<>());
        while (lane.isEmpty()) {
          changed.await();
        }
        return lane.remove();
      } finally {
        lock.unlock();
      }
    }

    private void await(Flight flight, int bytes) throws InterruptedException {
      lock.lock();
      try {
        while (true) {
          long release = flight.release(bytes, carrying);
          long now = now();
          if (release <= now) {
            flight.opened = now;
            return;
          }
          if (release == NOT_YET) {
            changed.await();
          } else {
            changed.awaitNanos(release - now);
          }
        }
      } finally {
        lock.unlock();
      }
    }

    private void passed(Flight flight) {
      lock.lock();
      try {
        if (flight.opened > 0) {
          carrying += (now() - flight.opened - carrying) / MEAN_OVER;
        }
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
