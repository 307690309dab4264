package dev.grapevine.message;

/**
 * A payload on its way.
 *
 * @param sender the node that sent it
 * @param tag what the protocol uses it for; {@link #MODEL} for the exchange of a round
 * @param round the sender's round
 * @param payload the content
 */
public record Message(int sender, int tag, int round, Payload payload) {

  /** The tag of a round's model exchange; protocols number their own messages from 1 to 255. */
  public static final int MODEL = 0;
}
