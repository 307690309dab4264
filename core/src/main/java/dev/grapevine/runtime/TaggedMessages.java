package dev.grapevine.runtime;

import dev.grapevine.message.Message;
import dev.grapevine.message.Payload;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Messages with a tag that were not taken yet, in order of arrival: those that have a handler, and
 * those that the owner asks for one by one. Most nodes get none, so that nothing is made before it
 * is needed. Not safe for concurrent use.
 */
public final class TaggedMessages {

  private @Nullable ArrayDeque<Message> asked;
  private boolean isAwaited;
  private @Nullable BitSet handledTags;
  private @Nullable ArrayDeque<Message> handled;

  TaggedMessages() {}

  /** Takes what has arrived; true if that ends the owner's wait, or a handler is to run. */
  boolean put(int sender, int tag, int round, Payload payload) {
    Message message = new Message(sender, tag, round, payload);
    if (isHandled(tag)) {
      toHandle().add(message);
      return true;
    }
    if (asked == null) {
      asked = new ArrayDeque<>(4);
    }
    asked.add(message);
    return isAwaited;
  }

  /** Whether there are less than {@code limit} of the sort of a tag. */
  boolean hasRoom(int tag, int limit) {
    return (isHandled(tag) ? handledCount() : askedCount()) < limit;
  }

  /** Sets messages with {@code tag} aside for a handler, those that have arrived included. */
  void handle(int tag) {
    if (handledTags == null) {
      handledTags = new BitSet();
    }
    handledTags.set(tag);
    if (asked != null) {
      asked.stream().filter(message -> message.tag() == tag).forEach(toHandle()::add);
      asked.removeIf(message -> message.tag() == tag);
    }
  }

  private ArrayDeque<Message> toHandle() {
    if (handled == null) {
      handled = new ArrayDeque<>(4);
    }
    return handled;
  }

  public boolean isHandled(int tag) {
    return handledTags != null && handledTags.get(tag);
  }

  /** Whether a handler has something to do. */
  public boolean hasHandled() {
    return handled != null && !handled.isEmpty();
  }

  /** The next message for a handler, or null. */
  @Nullable Message pollHandled() {
    return handled == null ? null : handled.poll();
  }

  /** The owner begins to wait for a message, or has ended to. */
  void await(boolean waits) {
    isAwaited = waits;
  }

  /** Whether there is one that the owner may ask for. */
  public boolean hasAsked() {
    return asked != null && !asked.isEmpty();
  }

  /** The next one that the owner asks for, or null. */
  @Nullable Message pollAsked() {
    return asked == null ? null : asked.poll();
  }

  /** A copy of all that the owner may ask for. */
  List<Message> asked() {
    return asked == null ? new ArrayList<>() : new ArrayList<>(asked);
  }

  private int askedCount() {
    return asked == null ? 0 : asked.size();
  }

  private int handledCount() {
    return handled == null ? 0 : handled.size();
  }

  int count() {
    return askedCount() + handledCount();
  }
}
