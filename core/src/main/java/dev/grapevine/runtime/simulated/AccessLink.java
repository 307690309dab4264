package dev.grapevine.runtime.simulated;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A node's uplink or downlink, shared evenly by the messages on it. Keeps the service that each of
 * them has had since the link was last idle; a message is through when that has grown by its size.
 * So arrivals and departures cost O(log n), and one event is pending at a time. As an event, it is
 * the next departure.
 */
final class AccessLink implements Event {

  private static final long NEVER = Long.MAX_VALUE;

  private final boolean isUplink;

  /** Bytes per ns. */
  private double capacity;

  /** Bytes that every message on the link has had since it was last idle. */
  private double service;

  private long lastUpdate;
  private long nextEvent = NEVER;

  /** A binary heap by (service at departure, order of sending); most links carry little. */
  private double[] departures = new double[1];

  private @Nullable SharedFlight[] flights = new @Nullable SharedFlight[1];
  private int size;

  AccessLink(boolean isUplink, double capacity) {
    this.isUplink = isUplink;
    this.capacity = capacity;
  }

  void setCapacity(Simulation simulation, double newCapacity) {
    if (newCapacity != capacity) {
      update(simulation.now());
      capacity = newCapacity;
      schedule(simulation);
    }
  }

  void add(Simulation simulation, SharedFlight flight) {
    update(simulation.now());
    if (size == 0) {
      service = 0;
    }
    if (size == flights.length) {
      departures = Arrays.copyOf(departures, 2 * size);
      flights = Arrays.copyOf(flights, 2 * size);
    }
    siftUp(service + flight.bytes(), flight);
    schedule(simulation);
  }

  @Override
  public @Nullable SimulatedHost happen(Simulation simulation) {
    long now = simulation.now();
    if (nextEvent != now) {
      return null; // replaced by an earlier one
    }
    nextEvent = NEVER;
    update(now);
    while (size > 0 && nextDeparture(now) <= now) {
      SharedFlight flight = poll();
      if (isUplink) {
        flight.leaves(simulation);
      } else {
        flight.isThrough(simulation);
      }
    }
    schedule(simulation);
    return null;
  }

  /** How long until the next message is through; 0 if there is none. */
  long untilDeparture(long now) {
    if (size == 0) {
      return 0;
    }
    update(now);
    return Math.max(1, nextDeparture(now) - now);
  }

  @Override
  public int readAhead() {
    SharedFlight first = flights[0];
    return size + (int) departures[0] + (first == null ? 0 : first.bytes());
  }

  private void update(long now) {
    if (size > 0) {
      service += (now - lastUpdate) * capacity / size;
    }
    lastUpdate = now;
  }

  private long nextDeparture(long now) {
    double wait = (departures[0] - service) * size / capacity;
    return wait <= 0.5 ? now : now + (long) Math.ceil(wait - 1e-6);
  }

  /** An event that has become too early stays: it sets the right one when it happens. */
  private void schedule(Simulation simulation) {
    if (size > 0) {
      long next = nextDeparture(simulation.now());
      if (next < nextEvent) {
        nextEvent = next;
        simulation.push(next, this);
      }
    }
  }

  private boolean before(double departure, SharedFlight flight, int slot) {
    return departure < departures[slot]
        || (departure == departures[slot] && flight.wasSentBefore(flight(slot)));
  }

  private void siftUp(double departure, SharedFlight flight) {
    int hole = size++;
    while (hole > 0) {
      int parent = (hole - 1) >> 1;
      if (!before(departure, flight, parent)) {
        break;
      }
      move(parent, hole);
      hole = parent;
    }
    set(hole, departure, flight);
  }

  private SharedFlight poll() {
    SharedFlight first = flight(0);
    size--;
    double departure = departures[size];
    SharedFlight last = flight(size);
    flights[size] = null;
    if (size > 0) {
      int hole = 0;
      while (true) {
        int child = 2 * hole + 1;
        if (child >= size) {
          break;
        }
        if (child + 1 < size && before(departures[child + 1], flight(child + 1), child)) {
          child++;
        }
        if (before(departure, last, child)) {
          break;
        }
        move(child, hole);
        hole = child;
      }
      set(hole, departure, last);
    }
    return first;
  }

  private SharedFlight flight(int slot) {
    SharedFlight flight = flights[slot];
    if (flight == null) {
      throw new IllegalStateException("the heap has a hole: slot=" + slot);
    }
    return flight;
  }

  private void move(int from, int to) {
    departures[to] = departures[from];
    flights[to] = flights[from];
  }

  private void set(int slot, double departure, SharedFlight flight) {
    departures[slot] = departure;
    flights[slot] = flight;
  }
}
