package dev.grapevine.runtime;

import dev.grapevine.message.Payload;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Payloads of model exchanges by round, channel and sender. A key may stand without a payload: then
 * the owner waits for it. Open addressing with linear probing, since a lookup must cost O(1) and no
 * object; a slot that was found is good until the next key is added or removed. Not safe for
 * concurrent use.
 */
final class ExchangeTable {

  private static final long FREE = -1;
  private static final int CHANNEL_SHIFT = 24;
  private static final int SMALLEST = 8;

  private long[] keys;
  private @Nullable Payload[] payloads;
  private int used;

  ExchangeTable() {
    keys = freeKeys(SMALLEST);
    payloads = new @Nullable Payload[SMALLEST];
  }

  private static long[] freeKeys(int capacity) {
    long[] keys = new long[capacity];
    Arrays.fill(keys, FREE);
    return keys;
  }

  /** Channels have a byte, so that senders have three. */
  static long key(int round, int channel, int sender) {
    return (long) round << 32 | (long) channel << CHANNEL_SHIFT | sender;
  }

  private static int roundOf(long key) {
    return (int) (key >>> 32);
  }

  private int home(long key) {
    return (int) ((key * 0x9E3779B97F4A7C15L) >>> 32) & (keys.length - 1);
  }

  /** The slot of a key, or the free one where it belongs. */
  int find(long key) {
    int slot = home(key);
    while (keys[slot] != key && keys[slot] != FREE) {
      slot = (slot + 1) & (keys.length - 1);
    }
    return slot;
  }

  /** Reads where a key most likely is, so that it is in the cache when it is looked for. */
  int readAhead(long key) {
    int slot = home(key);
    return (int) keys[slot] + (payloads[slot] == null ? 0 : 1);
  }

  /** How many slots there are, to walk through them. */
  int slots() {
    return keys.length;
  }

  boolean isFree(int slot) {
    return keys[slot] == FREE;
  }

  /** The payload in a slot; null if it has none yet, or is free. */
  @Nullable Payload payload(int slot) {
    return payloads[slot];
  }

  int round(int slot) {
    return roundOf(keys[slot]);
  }

  int channel(int slot) {
    return (int) (keys[slot] >>> CHANNEL_SHIFT) & 0xFF;
  }

  int sender(int slot) {
    return (int) keys[slot] & ((1 << CHANNEL_SHIFT) - 1);
  }

  /** Gives a key its payload. */
  void fill(int slot, Payload payload) {
    payloads[slot] = payload;
  }

  /**
   * Adds a key in the free slot where it belongs.
   *
   * @param oldestRound the first round that anybody will ask for
   */
  void insert(int slot, long key, @Nullable Payload payload, int oldestRound) {
    keys[slot] = key;
    payloads[slot] = payload;
    used++;
    if (4 * used > 3 * keys.length) {
      rehash(oldestRound);
    }
  }

  /** Sweeps out what nobody will ask for, then doubles the table unless that was most of it. */
  private void rehash(int oldestRound) {
    long[] oldKeys = keys;
    @Nullable Payload[] oldPayloads = payloads;
    int kept = 0;
    for (long key : oldKeys) {
      kept += key != FREE && roundOf(key) >= oldestRound ? 1 : 0;
    }
    int capacity = 4 * kept > 2 * oldKeys.length ? 2 * oldKeys.length : oldKeys.length;
    keys = freeKeys(capacity);
    payloads = new @Nullable Payload[capacity];
    used = kept;
    for (int i = 0; i < oldKeys.length; i++) {
      if (oldKeys[i] != FREE && roundOf(oldKeys[i]) >= oldestRound) {
        int slot = find(oldKeys[i]);
        keys[slot] = oldKeys[i];
        payloads[slot] = oldPayloads[i];
      }
    }
  }

  /** Deletes without a tombstone: later entries of the same probe move up. */
  void remove(int slot) {
    int mask = keys.length - 1;
    int hole = slot;
    for (int next = (slot + 1) & mask; keys[next] != FREE; next = (next + 1) & mask) {
      if (((next - home(keys[next])) & mask) >= ((next - hole) & mask)) {
        keys[hole] = keys[next];
        payloads[hole] = payloads[next];
        hole = next;
      }
    }
    keys[hole] = FREE;
    payloads[hole] = null;
    used--;
  }
}
