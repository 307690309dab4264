package dev.grapevine.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Puts the events of all workers into one order, by time and node, as far as every worker has told
 * all of its own.
 */
final class Timeline {

  private record Entry(Event event, long arrival) implements Comparable<Entry> {

    @Override
    public int compareTo(Entry other) {
      int byTime = event.time().compareTo(other.event.time());
      int byNode = byTime != 0 ? byTime : Integer.compare(event.node(), other.event.node());
      return byNode != 0 ? byNode : Long.compare(arrival, other.arrival);
    }
  }

  private final PriorityQueue<Entry> waiting = new PriorityQueue<>();
  private long arrivals;

  void add(List<Event> events) {
    for (Event event : events) {
      waiting.add(new Entry(event, arrivals++));
    }
  }

  /** Takes out what happened up to a time, in order. */
  List<Event> until(long nanos) {
    List<Event> events = new ArrayList<>();
    for (Entry next = waiting.peek();
        next != null && next.event().time().toNanos() <= nanos;
        next = waiting.peek()) {
      events.add(next.event());
      waiting.poll();
    }
    return events;
  }
}
