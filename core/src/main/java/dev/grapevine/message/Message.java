package dev.grapevine.message;

/**
 * A payload on its way.
 *
 * @param sender the node that sent it
 * @param tag what the protocol uses it for; {@link #EXCHANGE} for the exchange of a round
 * @param channel which of a node's exchanges it belongs to: 0 for the model
 * @param round the sender's round
 * @param payload the content
 * @param life tells it from messages that the sender or the receiver exchanged in a life that is
 *     over; 0 where nobody comes back
 */
public record Message(int sender, int tag, int channel, int round, Payload payload, int life) {

  /** The tag of a round's exchanges; protocols number their own messages from 1 to 239. */
  public static final int EXCHANGE = 0;

  /** The highest number of a channel. */
  public static final int LARGEST_CHANNEL = 255;

  /** Lives are counted up to this number, then from 0 again. */
  public static final int LARGEST_LIFE = 255;

  /** A message of an exchange, where nobody comes back. */
  public Message(int sender, int tag, int channel, int round, Payload payload) {
    this(sender, tag, channel, round, payload, 0);
  }

  /** The same message, of another life. */
  public Message ofLife(int number) {
    return number == life
        ? this
        : new Message(sender, tag, channel, round, payload, number & LARGEST_LIFE);
  }

  /** A message of the protocol's own. */
  public Message(int sender, int tag, int round, Payload payload) {
    this(sender, tag, 0, round, payload);
  }
}
