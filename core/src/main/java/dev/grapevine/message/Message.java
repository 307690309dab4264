package dev.grapevine.message;

/**
 * A payload on its way.
 *
 * @param sender the node that sent it
 * @param tag what the protocol uses it for; {@link #EXCHANGE} for the exchange of a round
 * @param channel which of a node's exchanges it belongs to: 0 for the model
 * @param round the sender's round
 * @param payload the content
 */
public record Message(int sender, int tag, int channel, int round, Payload payload) {

  /** The tag of a round's exchanges; protocols number their own messages from 1 to 239. */
  public static final int EXCHANGE = 0;

  /** The highest number of a channel. */
  public static final int LARGEST_CHANNEL = 255;

  /** A message of the protocol's own. */
  public Message(int sender, int tag, int round, Payload payload) {
    this(sender, tag, 0, round, payload);
  }
}
