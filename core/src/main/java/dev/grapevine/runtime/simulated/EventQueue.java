package dev.grapevine.runtime.simulated;

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
 * end of a block: that is kinder to the cache than the path through a binary heap. A bucket has one
 * block for good and takes more from a common pool while it needs them, so that memory is in
 * proportion to the events.
 */
final class EventQueue {

  private static final int BUCKETS = 64;

  /** How many events read ahead together: more than a core has outstanding reads. */
  private static final int READ_AHEAD = 16;

  /** Pairs (time, slot), in the order in which they came. */
  private static final class Block {

    private static final int LENGTH = 128;

    private final long[] pairs = new long[LENGTH];

    /** How many longs are in use. */
    private int end;

    /** The next block of the same bucket, or of the pool. */
    private @Nullable Block next;
  }

  private final Block[] firsts = new Block[BUCKETS];
  private final Block[] lasts = new Block[BUCKETS];
  private @Nullable Block pool;

  /** Bit b is set when bucket b holds something. */
  private long occupied;

  /** The block of bucket 0 that pairs are taken from. */
  private Block present;

  /** Where its next pair is. */
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
    for (int bucket = 0; bucket < BUCKETS; bucket++) {
      firsts[bucket] = new Block();
      lasts[bucket] = firsts[bucket];
    }
    present = firsts[0];
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
    int slot = (int) present.pairs[head + 1];
    head += 2;
    if (head == present.end) {
      head = 0;
      if (present.next == null) {
        clear(0);
        present = firsts[0];
      } else {
        present = present.next;
      }
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
    Block first = firsts[lowest];
    time = least(first);
    for (Block block = first; block != null; block = block.next) {
      long[] pairs = block.pairs;
      int end = block.end;
      for (int i = 0; i < end; i += 2) {
        append(pairs[i], pairs[i + 1]);
      }
    }
    if (first.end <= 2 * READ_AHEAD) {
      readAhead(first.pairs, first.end);
    }
    clear(lowest);
  }

  private static long least(Block first) {
    long least = Long.MAX_VALUE;
    for (Block block = first; block != null; block = block.next) {
      long[] pairs = block.pairs;
      int end = block.end;
      for (int i = 0; i < end; i += 2) {
        least = Math.min(least, pairs[i]);
      }
    }
    return least;
  }

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
    Block last = lasts[bucket];
    int end = last.end;
    if (end == Block.LENGTH) {
      last = extend(bucket);
      end = 0;
    }
    last.pairs[end] = at;
    last.pairs[end + 1] = slot;
    last.end = end + 2;
    occupied |= 1L << bucket;
  }

  /** Adds a block to the end of a bucket. */
  private Block extend(int bucket) {
    Block added = pool;
    if (added == null) {
      added = new Block();
    } else {
      pool = added.next;
      added.next = null;
      added.end = 0;
    }
    lasts[bucket].next = added;
    lasts[bucket] = added;
    return added;
  }

  /** Empties a bucket down to its first block. */
  private void clear(int bucket) {
    Block first = firsts[bucket];
    first.end = 0;
    if (first.next != null) {
      lasts[bucket].next = pool;
      pool = first.next;
      first.next = null;
      lasts[bucket] = first;
    }
    occupied &= ~(1L << bucket);
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
