package dev.grapevine.runtime;

import dev.grapevine.message.Message;
import dev.grapevine.message.MessageBytes;
import dev.grapevine.message.Payload;
import dev.grapevine.state.State;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * What has arrived at a node and was not taken yet: model exchanges and tagged messages, and of
 * whom nothing is to come. Waiting enters the awaited keys without a payload, so that the owner
 * needs waking only when nothing is missing any more. Not safe for concurrent use.
 */
public final class Mailbox {

  private static final int[] NOBODY = {};

  /** Nobody knows in which round one who is gone is there again. */
  public static final int FOR_GOOD = Integer.MAX_VALUE;

  private ExchangeTable exchanges = new ExchangeTable();
  private TaggedMessages tagged = new TaggedMessages();
  private final Absentees absentees = new Absentees();

  /** Model exchanges of earlier rounds are dropped. */
  private int oldestRound;

  private int[] awaited = NOBODY;
  private int awaitedChannel;
  private int missing;

  /** What was sent before is for a life of the owner's that is over. */
  private int firstRound;

  private long messages;
  private long payloadBytes;
  private long metadataBytes;

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
    List<Message> messages = tagged.asked();
    for (int slot = 0; slot < exchanges.slots(); slot++) {
      Payload payload = exchanges.payload(slot);
      if (payload != null) {
        messages.add(
            new Message(
                exchanges.sender(slot),
                Message.EXCHANGE,
                exchanges.channel(slot),
                exchanges.round(slot),
                payload));
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
    for (int slot = 0; slot < exchanges.slots(); slot++) {
      Payload payload = exchanges.payload(slot);
      if (payload != null && exchanges.round(slot) > round) {
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
    if (tag != Message.EXCHANGE) {
      return tagged.put(sender, tag, round, payload);
    }
    if (round < oldestRound) {
      return false;
    }
    long key = ExchangeTable.key(round, channel, sender);
    int slot = exchanges.find(key);
    if (exchanges.isFree(slot)) {
      exchanges.insert(slot, key, payload, oldestRound);
      return false;
    }
    if (exchanges.payload(slot) != null) {
      return false; // a duplicate: the first one counts
    }
    exchanges.fill(slot, payload);
    return round == oldestRound && --missing == 0;
  }

  /** Reads where a model exchange will be put, so that it is in the cache when it is. */
  public int readAhead(int sender, int round) {
    return exchanges.readAhead(ExchangeTable.key(round, 0, sender)) + (int) messages;
  }

  /**
   * Whether a message would be one of at most {@code limit} of its sort, and model exchanges of
   * later rounds take less than {@code most} bytes yet. There is always room for those of the
   * owner's round and the next, so that nobody waits for room on whom the owner waits.
   */
  public boolean hasRoom(int tag, int round, int limit, long most) {
    if (tag != Message.EXCHANGE) {
      return tagged.hasRoom(tag, limit);
    }
    return !isAhead(round) || hasRoomAhead(limit, most);
  }

  private boolean isAhead(int round) {
    return round - 1 > oldestRound;
  }

  private boolean hasRoomAhead(int limit, long most) {
    int count = 0;
    long bytes = 0;
    for (int slot = 0; slot < exchanges.slots(); slot++) {
      Payload payload = exchanges.payload(slot);
      if (payload != null && isAhead(exchanges.round(slot))) {
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
    exchanges.remove(slotOf(oldestRound, peer));
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
    exchanges = new ExchangeTable();
    tagged = new TaggedMessages();
    awaited = NOBODY;
    missing = 0;
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
      long key = ExchangeTable.key(round, channel, sender);
      int slot = exchanges.find(key);
      if (exchanges.isFree(slot) && !isGone(sender, round)) {
        exchanges.insert(slot, key, null, oldestRound);
        missing++;
      }
    }
    return missing == 0;
  }

  /** Ends the wait: takes the payload of each awaited sender out, null for one that is missing. */
  public @Nullable Payload[] take(int round) {
    @Nullable Payload[] taken = new @Nullable Payload[awaited.length];
    for (int i = 0; i < taken.length; i++) {
      int slot = slotOf(round, awaited[i]);
      if (!exchanges.isFree(slot)) {
        taken[i] = exchanges.payload(slot);
        exchanges.remove(slot);
      }
    }
    awaited = NOBODY;
    missing = 0;
    return taken;
  }

  /** Messages that are no model exchanges. */
  public TaggedMessages tagged() {
    return tagged;
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

  /** What has arrived and nobody has taken. */
  public int unread() {
    int count = tagged.count();
    for (int slot = 0; slot < exchanges.slots(); slot++) {
      count += exchanges.payload(slot) == null ? 0 : 1;
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
    int slot = slotOf(oldestRound, sender);
    return !exchanges.isFree(slot) && exchanges.payload(slot) == null && awaits(sender);
  }

  private int slotOf(int round, int sender) {
    return exchanges.find(ExchangeTable.key(round, awaitedChannel, sender));
  }

  private boolean awaits(int sender) {
    for (int each : awaited) {
      if (each == sender) {
        return true;
      }
    }
    return false;
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
}
