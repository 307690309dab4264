package dev.grapevine.network;

import dev.grapevine.message.Message;

/** Where a transport puts what has arrived. Called from any thread. */
public interface Inbox {

  /** Takes a message for {@code receiver}; waits while its mailbox is full. */
  void deliver(int receiver, Message message) throws InterruptedException;

  /**
   * Takes a message for {@code receiver} if its mailbox has room, and does not wait; false if it
   * has none.
   */
  boolean offer(int receiver, Message message);

  /** Tells {@code receiver} that {@code peer} will send no more. */
  void gone(int receiver, int peer);

  /**
   * A link was closed because {@code peer} broke the format; {@code reason} says how. Both numbers
   * are negative for one who could not prove to belong to the run.
   */
  void refused(int receiver, int peer, String reason);
}
