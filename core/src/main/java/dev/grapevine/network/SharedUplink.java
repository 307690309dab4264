package dev.grapevine.network;

import java.util.ArrayList;
import java.util.List;

/**
 * An uplink that messages share evenly, as one of the simulated runtime does: with k messages on
 * it, each gets a k-th of the rate. Knows no clock: whoever asks says what time it is. Times are
 * nanoseconds, rates bytes per nanosecond. Not safe for use by several threads.
 *
 * @param <T> what travels
 */
final class SharedUplink<T> {

  /** What {@link #nextDeparture} answers when nothing is on the link. */
  static final long NEVER = Long.MAX_VALUE;

  private record Load<T>(T what, double done) {}

  /** Something, and when its last byte left. */
  record Departed<T>(T what, long time) {}

  private final List<Load<T>> loads = new ArrayList<>();
  private double rate;

  /** Bytes that every message on the link has had since it was last idle. */
  private double service;

  private long updated;

  SharedUplink(double rate) {
    this.rate = rate;
  }

  /** From now on the link is so fast. */
  void setRate(double newRate, long now) {
    if (newRate != rate) {
      update(now);
      rate = newRate;
    }
  }

  /** Something of so many bytes begins to leave. */
  void add(T what, long bytes, long now) {
    update(now);
    if (loads.isEmpty()) {
      service = 0;
    }
    double done = service + bytes;
    int at = loads.size();
    while (at > 0 && loads.get(at - 1).done > done) {
      at--;
    }
    loads.add(at, new Load<>(what, done));
  }

  /** Takes off what has left by now, in the order in which it left, however late one asks. */
  List<Departed<T>> departed(long now) {
    List<Departed<T>> departed = new ArrayList<>();
    for (long next = nextDeparture(updated); next <= now; next = nextDeparture(updated)) {
      update(next);
      departed.add(new Departed<>(loads.removeFirst().what, next));
    }
    update(now);
    return departed;
  }

  /** When the next one leaves if nothing is added before; {@link #NEVER} if there is none. */
  long nextDeparture(long now) {
    update(now);
    if (loads.isEmpty()) {
      return NEVER;
    }
    double wait = (loads.getFirst().done - service) * loads.size() / rate;
    return wait < 1e18 ? now + Math.max(0, (long) Math.ceil(wait - 1e-6)) : NEVER;
  }

  /** What is on the link, and when each would leave if nothing were added, first to last. */
  List<Departed<T>> forecast(long now) {
    update(now);
    List<Departed<T>> forecast = new ArrayList<>();
    double time = now;
    double had = service;
    for (int i = 0; i < loads.size(); i++) {
      Load<T> load = loads.get(i);
      time += (load.done - had) * (loads.size() - i) / rate;
      had = load.done;
      forecast.add(new Departed<>(load.what, time < 1e18 ? (long) Math.ceil(time - 1e-6) : NEVER));
    }
    return forecast;
  }

  private void update(long now) {
    if (now > updated && !loads.isEmpty()) {
      service += (now - updated) * rate / loads.size();
    }
    updated = Math.max(updated, now);
  }
}
