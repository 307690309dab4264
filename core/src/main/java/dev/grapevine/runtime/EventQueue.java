package dev.grapevine.runtime;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Events by (time, sequence): first come, first served among those of one instant. A four-ary heap
 * of pairs of longs in one array, so that a sift moves no references; O(log n) for both methods.
 */
final class EventQueue {

  private static final int ARITY = 4;
  private static final int SLOT_BITS = 24;
  private static final int SLOT_MASK = (1 << SLOT_BITS) - 1;

  /** Pairs (time, sequence and slot). */
  private long[] heap = new long[2 * 64];

  private @Nullable Event[] slots = new @Nullable Event[64];
  private int[] freeSlots = new int[64];
  private int freeCount;
  private int size;
  private long sequence;
  private long time;

  EventQueue() {
    for (int slot = slots.length - 1; slot >= 0; slot--) {
      freeSlots[freeCount++] = slot;
    }
  }

  int size() {
    return size;
  }

  /** When the event happens that was taken last. */
  long time() {
    return time;
  }

  void push(long at, Event event) {
    if (size == slots.length) {
      grow();
    }
    int slot = freeSlots[--freeCount];
    slots[slot] = event;
    long order = sequence++ << SLOT_BITS | slot;
    int hole = size++;
    while (hole > 0) {
      int parent = (hole - 1) / ARITY;
      long parentTime = heap[2 * parent];
      if (parentTime < at || (parentTime == at && heap[2 * parent + 1] < order)) {
        break;
      }
      heap[2 * hole] = parentTime;
      heap[2 * hole + 1] = heap[2 * parent + 1];
      hole = parent;
    }
    heap[2 * hole] = at;
    heap[2 * hole + 1] = order;
  }

  /** Takes the next event; null when there is none. */
  @Nullable Event pop() {
    if (size == 0) {
      return null;
    }
    time = heap[0];
    int slot = (int) heap[1] & SLOT_MASK;
    Event event = slots[slot];
    slots[slot] = null;
    freeSlots[freeCount++] = slot;
    size--;
    if (size > 0) {
      siftDown(heap[2 * size], heap[2 * size + 1]);
    }
    return event;
  }

  private void siftDown(long at, long order) {
    int hole = 0;
    while (true) {
      int first = hole * ARITY + 1;
      if (first >= size) {
        break;
      }
      int end = Math.min(first + ARITY, size);
      int least = first;
      long leastTime = heap[2 * first];
      long leastOrder = heap[2 * first + 1];
      for (int child = first + 1; child < end; child++) {
        long childTime = heap[2 * child];
        if (childTime < leastTime || (childTime == leastTime && heap[2 * child + 1] < leastOrder)) {
          least = child;
          leastTime = childTime;
          leastOrder = heap[2 * child + 1];
        }
      }
      if (at < leastTime || (at == leastTime && order < leastOrder)) {
        break;
      }
      heap[2 * hole] = leastTime;
      heap[2 * hole + 1] = leastOrder;
      hole = least;
    }
    heap[2 * hole] = at;
    heap[2 * hole + 1] = order;
  }

  private void grow() {
    int capacity = slots.length;
    if (capacity > SLOT_MASK) {
      throw new IllegalStateException("too many events at a time: events=" + capacity);
    }
    heap = Arrays.copyOf(heap, 4 * capacity);
    slots = Arrays.copyOf(slots, 2 * capacity);
    freeSlots = Arrays.copyOf(freeSlots, 2 * capacity);
    for (int slot = 2 * capacity - 1; slot >= capacity; slot--) {
      freeSlots[freeCount++] = slot;
    }
  }
}
