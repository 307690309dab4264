package dev.grapevine.runtime;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Events by time, first come, first served among those of one instant: a radix heap (Ahuja,
 * Mehlhorn, Orlin, Tarjan: Faster Algorithms for the Shortest Path Problem, JACM 1990). It relies
 * on what every virtual clock gives: nothing is pushed before the time of the event taken last.
 *
 * <p>Bucket 0 holds the events of the present instant, bucket b those whose highest bit that
 * differs from it is bit b - 1. When bucket 0 is empty, the lowest bucket that is not is spread
 * over those below it. Events of one instant share a bucket and keep their order, so none needs a
 * number. An event moves at most 63 times, in practice about log2(n) / 2 times, and always to the
 * end of an array: that is kinder to the cache than the path through a binary heap.
 */
final class EventQueue {

  private static final int BUCKETS = 64;

  /** How many events read ahead together: more than a core has outstanding reads. */
  private static final int READ_AHEAD = 16;

  /** Pairs (time, slot), in the order in which they came. */
  private final long[][] buckets = new long[BUCKETS][];

  /** How many longs of each bucket are in use. */
  private final int[] ends = new int[BUCKETS];

  /** Bit b is set when bucket b holds something. */
  private long occupied;

  /** Where the next pair of bucket 0 is. */
  private int head;

  private @Nullable Event[] slots = new @Nullable Event[64];
  private int[] freeSlots = new int[64];
  private int freeCount;
  private int size;

  @SuppressWarnings({"unused", "UnusedVariable"}) // written so that what was read is used
  private int readAheadSum;

  private long time;

  EventQueue() {
    for (int slot = slots.length - 1; slot >= 0; slot--) {
      freeSlots[freeCount++] = slot;
    }
    Arrays.fill(buckets, new long[0]);
  }

  int size() {
    return size;
  }

  /** When the event happens that was taken last. */
  long time() {
    return time;
  }

  void push(long at, Event event) {
    if (at < time) {
      throw new IllegalStateException("an event in the past: at=%d, now=%d".formatted(at, time));
    }
    if (size == slots.length) {
      grow();
    }
    int slot = freeSlots[--freeCount];
    slots[slot] = event;
    size++;
    append(at, slot);
  }

  /** Takes the next event; null when there is none. */
  @Nullable Event pop() {
    if (size == 0) {
      return null;
    }
    if ((occupied & 1) == 0) {
      advance();
    }
    int slot = (int) buckets[0][head + 1];
    head += 2;
    if (head == ends[0]) {
      head = 0;
      ends[0] = 0;
      occupied &= ~1L;
    }
    Event event = slots[slot];
    slots[slot] = null;
    freeSlots[freeCount++] = slot;
    size--;
    return event;
  }

  /** Goes on to the next instant at which something happens. */
  private void advance() {
    int lowest = Long.numberOfTrailingZeros(occupied);
    long[] pairs = buckets[lowest];
    int end = ends[lowest];
    long least = pairs[0];
    for (int i = 2; i < end; i += 2) {
      least = Math.min(least, pairs[i]);
    }
    time = least;
    ends[lowest] = 0;
    occupied &= ~(1L << lowest);
    for (int i = 0; i < end; i += 2) {
      append(pairs[i], pairs[i + 1]);
    }
    if (end <= 2 * READ_AHEAD) {
      readAhead(pairs, end);
    }
  }

  /** The pairs have been spread but are still there: nothing is appended to the lowest bucket. */
  private void readAhead(long[] pairs, int end) {
    int sum = 0;
    for (int i = 0; i < end; i += 2) {
      Event event = slots[(int) pairs[i + 1]];
      sum += event == null ? 0 : event.readAhead();
    }
    readAheadSum = sum;
  }

  private void append(long at, long slot) {
    int bucket = Long.SIZE - Long.numberOfLeadingZeros(at ^ time);
    long[] pairs = buckets[bucket];
    int end = ends[bucket];
    if (end == pairs.length) {
      pairs = Arrays.copyOf(pairs, Math.max(8, 2 * end));
      buckets[bucket] = pairs;
    }
    pairs[end] = at;
    pairs[end + 1] = slot;
    ends[bucket] = end + 2;
    occupied |= 1L << bucket;
  }

  private void grow() {
    int capacity = slots.length;
    slots = Arrays.copyOf(slots, 2 * capacity);
    freeSlots = Arrays.copyOf(freeSlots, 2 * capacity);
    for (int slot = 2 * capacity - 1; slot >= capacity; slot--) {
      freeSlots[freeCount++] = slot;
    }
  }
}
