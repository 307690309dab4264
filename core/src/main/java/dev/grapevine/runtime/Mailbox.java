package dev.grapevine.runtime;

import dev.grapevine.message.Message;
import dev.grapevine.message.MessageBytes;
import dev.grapevine.message.Payload;
import dev.grapevine.state.State;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * What has arrived at a node and was not taken yet: model exchanges by (round, sender), tagged
 * messages in order of arrival. Waiting enters the awaited keys without a value, so that the owner
 * needs waking only when nothing is missing any more. Not safe for concurrent use.
 *
 * <p>Open addressing with linear probing; a lookup costs O(1).
 */
public final class Mailbox {

  private static final long FREE = -1;
  private static final int[] NOBODY = {};
  private static final int CHANNEL_SHIFT = 24;

  /** Nobody knows in which round one who is gone is there again. */
  public static final int FOR_GOOD = Integer.MAX_VALUE;

  private long[] keys = new long[8];
  private @Nullable Payload[] payloads = new @Nullable Payload[8];
  private int used;

  /** Model exchanges of earlier rounds are dropped. */
  private int oldestRound;

  private int[] awaited = NOBODY;
  private int awaitedChannel;
  private int missing;
  private final Absentees absentees = new Absentees();

  /** What was sent before is for a life of the owner's that is over. */
  private int firstRound;

  private @Nullable ArrayDeque<Message> tagged;
  private boolean awaitsTagged;
  private @Nullable BitSet handledTags;
  private @Nullable ArrayDeque<Message> handled;

  private long messages;
  private long payloadBytes;
  private long metadataBytes;

  public Mailbox() {
    Arrays.fill(keys, FREE);
  }

  /**
   * Declares what was counted and what waits to be asked for.
   *
   * @param round the last round that is over
   * @param isQuiet whether no message is on its way when the node is saved: then messages that
   *     nobody has asked for are kept; otherwise those of later rounds are as if they had not come,
   *     since they will be sent again
   */
  void declare(State state, IntSupplier round, boolean isQuiet) {
    state.values(
        "received",
        () -> receivedUpTo(isQuiet ? Integer.MAX_VALUE : round.getAsInt()),
        saved -> {
          messages = saved[0];
          payloadBytes = saved[1];
          metadataBytes = saved[2];
        });
    if (isQuiet) {
      state.bytes("inbox", () -> MessageBytes.write(unasked()), this::putBack);
    }
  }

  /** Declares what it knows of nodes that have come back, its owner included. */
  void declareReturns(State state) {
    state.values("returns", this::knownReturns, this::restoreReturns);
  }

  /** Its own first round, then peers that have come back and theirs, by turns. */
  private long[] knownReturns() {
    LongStream.Builder known = LongStream.builder().add(firstRound);
    absentees.tellReturns(known::add);
    return known.build().toArray();
  }

  private void restoreReturns(long[] known) {
    beginAt((int) known[0]);
    for (int i = 1; i < known.length; i += 2) {
      back((int) known[i], (int) known[i + 1]);
    }
  }

  private List<Message> unasked() {
    List<Message> messages = new ArrayList<>(tagged == null ? List.of() : tagged);
    for (int i = 0; i < keys.length; i++) {
      Payload payload = payloads[i];
      if (payload != null) {
        int channel = (int) (keys[i] >>> CHANNEL_SHIFT) & 0xFF;
        int sender = (int) keys[i] & ((1 << CHANNEL_SHIFT) - 1);
        messages.add(new Message(sender, Message.EXCHANGE, channel, roundOf(keys[i]), payload));
      }
    }
    return messages;
  }

  /** Messages that came before the node was saved, and were counted then. */
  private void putBack(byte[] saved) {
    long[] counted = {messages, payloadBytes, metadataBytes};
    MessageBytes.read(saved).forEach(this::put);
    messages = counted[0];
    payloadBytes = counted[1];
    metadataBytes = counted[2];
  }

  private long[] receivedUpTo(int round) {
    long[] counts = {messages, payloadBytes, metadataBytes};
    for (int i = 0; i < keys.length; i++) {
      Payload payload = payloads[i];
      if (payload != null && roundOf(keys[i]) > round) {
        counts[0]--;
        counts[1] -= payload.size();
        counts[2] -= payload.metadataSize();
      }
    }
    return counts;
  }

  /** Takes what has arrived; true if that ends the owner's wait. */
  public boolean put(Message message) {
    return put(
        message.sender(), message.tag(), message.channel(), message.round(), message.payload());
  }

  /** The same for what a message would hold, for whom a message would be one object too many. */
  public boolean put(int sender, int tag, int channel, int round, Payload payload) {
    messages++;
    payloadBytes += payload.size();
    metadataBytes += payload.metadataSize();
    if (isHandled(tag)) {
      toHandle().add(new Message(sender, tag, round, payload));
      return true;
    }
    if (tag != Message.EXCHANGE) {
      if (tagged == null) {
        tagged = new ArrayDeque<>(4);
      }
      tagged.add(new Message(sender, tag, round, payload));
      return awaitsTagged;
    }
    if (round < oldestRound) {
      return false;
    }
    long key = key(round, channel, sender);
    int slot = find(key);
    if (keys[slot] == FREE) {
      insert(slot, key, payload);
      return false;
    }
    if (payloads[slot] != null) {
      return false; // a duplicate: the first one counts
    }
    payloads[slot] = payload;
    return round == oldestRound && --missing == 0;
  }

  /** Reads where a model exchange will be put, so that it is in the cache when it is. */
  public int readAhead(int sender, int round) {
    int slot = home(key(round, 0, sender));
    return (int) keys[slot] + (payloads[slot] == null ? 0 : 1) + (int) messages;
  }

  /**
   * Whether a message would be one of at most {@code limit} of its sort, and model exchanges of
   * later rounds take less than {@code most} bytes yet. There is always room for those of the
   * owner's round and the next, so that nobody waits for room on whom the owner waits.
   */
  public boolean hasRoom(int tag, int round, int limit, long most) {
    if (isHandled(tag)) {
      return handled == null || handled.size() < limit;
    }
    if (tag != Message.EXCHANGE) {
      return taggedCount() < limit;
    }
    return !isAhead(round) || hasRoomAhead(limit, most);
  }

  private boolean isAhead(int round) {
    return round - 1 > oldestRound;
  }

  private boolean hasRoomAhead(int limit, long most) {
    int count = 0;
    long bytes = 0;
    for (int i = 0; i < keys.length; i++) {
      Payload payload = payloads[i];
      if (payload != null && isAhead(roundOf(keys[i]))) {
        count++;
        bytes += payload.size();
      }
    }
    return count < limit && bytes < most;
  }

  /** Notes that {@code peer} will send no more; true if that ends the owner's wait. */
  public boolean gone(int peer) {
    return gone(peer, 0);
  }

  /**
   * The same of one who had finished all rounds before {@code from}: what it said in them is still
   * on its way.
   */
  public boolean gone(int peer, int from) {
    return gone(peer, from, FOR_GOOD);
  }

  /** The same of one who is there again in the round {@code until}. */
  public boolean gone(int peer, int from, int until) {
    return absentees.add(peer, from, until)
        && oldestRound >= from
        && oldestRound < until
        && isNotAwaited(peer);
  }

  /** What may still come from {@code peer} is welcome, but the owner does not wait for it. */
  private boolean isNotAwaited(int peer) {
    if (missing == 0 || !stillMissing(peer)) {
      return false;
    }
    remove(find(key(oldestRound, awaitedChannel, peer)));
    return --missing == 0;
  }

  /**
   * Notes that {@code peer} is there again, from {@code round} on; true if that ends the owner's
   * wait, for something that the peer said in a life before.
   */
  public boolean back(int peer, int round) {
    absentees.isBack(peer, round);
    return oldestRound < round && isNotAwaited(peer);
  }

  /** Notes that {@code peer} has finished and took no message; the owner is not told yet. */
  public void finished(int peer) {
    absentees.hasFinished(peer);
  }

  /** Tells the owner that those who have finished answer nothing; false if it knows. */
  public boolean tellFinished() {
    return absentees.tellFinished();
  }

  /** The owner begins to wait for a condition, or has ended to. */
  void awaitsCondition(boolean waits) {
    absentees.awaitsCondition(waits);
  }

  /**
   * Forgets all but what was counted and who is gone: the owner begins anew.
   *
   * @param round the first round that it takes part in
   */
  public void beginAnew(int round) {
    keys = new long[8];
    Arrays.fill(keys, FREE);
    payloads = new @Nullable Payload[8];
    used = 0;
    awaited = NOBODY;
    missing = 0;
    tagged = null;
    handled = null;
    handledTags = null;
    awaitsTagged = false;
    awaitsCondition(false);
    beginAt(round);
  }

  /** Nothing of an earlier round is waited for. */
  public void beginAt(int round) {
    firstRound = round;
    oldestRound = round;
  }

  /** Begins to wait for a round's model exchange; true if there is nothing to wait for. */
  public boolean await(int[] from, int channel, int round) {
    oldestRound = Math.max(oldestRound, round);
    awaited = from;
    awaitedChannel = channel;
    missing = 0;
    if (round < oldestRound) {
      return true;
    }
    for (int sender : from) {
      long key = key(round, channel, sender);
      int slot = find(key);
      // A place without a payload is one that is waited for, and only that.
      if (keys[slot] == FREE && !isGone(sender, round)) {
        insert(slot, key, null);
        missing++;
      }
    }
    return missing == 0;
  }

  /** Ends the wait: takes the payload of each awaited sender out, null for one that is missing. */
  public @Nullable Payload[] take(int round) {
    @Nullable Payload[] taken = new @Nullable Payload[awaited.length];
    for (int i = 0; i < taken.length; i++) {
      int slot = find(key(round, awaitedChannel, awaited[i]));
      if (keys[slot] != FREE) {
        taken[i] = payloads[slot];
        remove(slot);
      }
    }
    awaited = NOBODY;
    missing = 0;
    return taken;
  }

  /** Sets messages with {@code tag} aside for a handler, those that have arrived included. */
  public void handle(int tag) {
    if (handledTags == null) {
      handledTags = new BitSet();
    }
    handledTags.set(tag);
    if (tagged != null) {
      tagged.stream().filter(message -> message.tag() == tag).forEach(toHandle()::add);
      tagged.removeIf(message -> message.tag() == tag);
    }
  }

  public boolean isHandled(int tag) {
    return handledTags != null && handledTags.get(tag);
  }

  /** The next message for a handler, or null. */
  public @Nullable Message pollHandled() {
    return handled == null ? null : handled.poll();
  }

  private ArrayDeque<Message> toHandle() {
    if (handled == null) {
      handled = new ArrayDeque<>(4);
    }
    return handled;
  }

  /** Begins or ends to wait for a tagged message. */
  public void awaitTagged(boolean waits) {
    awaitsTagged = waits;
  }

  public @Nullable Message pollTagged() {
    return tagged == null ? null : tagged.poll();
  }

  public int taggedCount() {
    return tagged == null ? 0 : tagged.size();
  }

  public boolean isComplete() {
    return missing == 0;
  }

  /** The senders that the owner waits for, in rising order. */
  public int[] missing() {
    return Arrays.stream(awaited).filter(this::stillMissing).toArray();
  }

  public int awaitedRound() {
    return oldestRound;
  }

  /** Whether a handler has something to do. */
  public boolean hasHandled() {
    return handled != null && !handled.isEmpty();
  }

  /** What has arrived and nobody has taken. */
  public int unread() {
    int count = taggedCount() + (handled == null ? 0 : handled.size());
    for (Payload payload : payloads) {
      count += payload == null ? 0 : 1;
    }
    return count;
  }

  public long messages() {
    return messages;
  }

  public long payloadBytes() {
    return payloadBytes;
  }

  public long metadataBytes() {
    return metadataBytes;
  }

  private boolean stillMissing(int sender) {
    int slot = find(key(oldestRound, awaitedChannel, sender));
    return keys[slot] != FREE && payloads[slot] == null && awaits(sender);
  }

  private boolean awaits(int sender) {
    for (int each : awaited) {
      if (each == sender) {
        return true;
      }
    }
    return false;
  }

  public boolean isGone(int sender) {
    return absentees.isGone(sender);
  }

  /** Whether nothing of {@code round} comes from {@code sender} any more. */
  public boolean isGone(int sender, int round) {
    return round < firstRound || absentees.isGone(sender, round);
  }

  /**
   * Whether {@code peer} answers nothing that the owner asks in {@code round}. While the owner
   * waits for a condition, one that went meanwhile does not, though it be back.
   */
  public boolean isSilent(int peer, int round) {
    return absentees.isSilent(peer, round) || isGone(peer, round);
  }

  /** Channels have a byte, so that senders have three. */
  private static long key(int round, int channel, int sender) {
    return (long) round << 32 | (long) channel << CHANNEL_SHIFT | sender;
  }

  private static int roundOf(long key) {
    return (int) (key >>> 32);
  }

  private int home(long key) {
    return (int) ((key * 0x9E3779B97F4A7C15L) >>> 32) & (keys.length - 1);
  }

  private int find(long key) {
    int slot = home(key);
    while (keys[slot] != key && keys[slot] != FREE) {
      slot = (slot + 1) & (keys.length - 1);
    }
    return slot;
  }

  private void insert(int slot, long key, @Nullable Payload payload) {
    keys[slot] = key;
    payloads[slot] = payload;
    used++;
    if (4 * used > 3 * keys.length) {
      rehash();
    }
  }

  /** Sweeps out what nobody will ask for, then doubles the table unless that was most of it. */
  private void rehash() {
    long[] oldKeys = keys;
    @Nullable Payload[] oldPayloads = payloads;
    int kept = 0;
    for (long key : oldKeys) {
      kept += key != FREE && roundOf(key) >= oldestRound ? 1 : 0;
    }
    int capacity = 4 * kept > 2 * oldKeys.length ? 2 * oldKeys.length : oldKeys.length;
    keys = new long[capacity];
    Arrays.fill(keys, FREE);
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
  private void remove(int slot) {
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
