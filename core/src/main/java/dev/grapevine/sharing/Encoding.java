package dev.grapevine.sharing;

import dev.grapevine.aggregation.Aggregator;
import dev.grapevine.aggregation.Heard;
import dev.grapevine.aggregation.Update;
import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.Outgoing;
import dev.grapevine.message.Payload;
import dev.grapevine.scratch.Scratch;
import dev.grapevine.settings.Family;
import dev.grapevine.topology.Neighbourhood;
import java.util.Optional;

/**
 * What a message holds: turns a node's vector into a payload, and one sender's payload back into an
 * update. It does not average; {@link #combine} says in which coordinates the {@link Aggregator}
 * does. One instance belongs to one vector of one node and may keep state between rounds, declared
 * in the context's {@link SharingContext#state state}.
 *
 * <p>All methods are called by an exchange, on a compute thread and never two at a time. A protocol
 * in step encodes once a round after training, then decodes and combines what arrived. An
 * asynchronous one combines first what has come meanwhile, once or more often, and then encodes, if
 * at all. Rounds only rise.
 */
public interface Encoding {

  Family<SharingContext, Encoding> FAMILY =
      new Family<>("sharing", Encoding.class, SharingContext.class, "what a message holds");

  /** Encodes what this node says in {@code round} to the peers it sends to. */
  Outgoing encode(int round, Neighbourhood to, Scratch scratch);

  /**
   * What a sender's message stands for. Called once for each message.
   *
   * @param round the round in which it is combined
   * @param scratch where the update may live until it has been combined
   * @throws MalformedPayloadException when the payload is not what {@link #encode} writes; nothing
   *     has changed then
   */
  Update decode(int sender, int round, Payload payload, Scratch scratch);

  /** Combines what was heard with the node's vector, by the rule and in place. */
  void combine(Heard heard, Aggregator rule, Scratch scratch);

  /** What the messages build on. */
  default Continuity continuity() {
    return Continuity.NONE;
  }

  /** Whether all nodes must start from the same vector. */
  default boolean needsSameStart() {
    return false;
  }

  /** Whether no more than the weighted sum of the neighbours' messages can be made of them. */
  default boolean isLinear() {
    return false;
  }

  /** Whether messages speak of vectors at all. */
  default boolean carriesVectors() {
    return true;
  }

  /** Whether every message speaks of every coordinate. */
  default boolean isWhole() {
    return false;
  }

  /** Whether all nodes speak of the same coordinates in a round. */
  default boolean hasCommonCoordinates() {
    return isWhole();
  }

  /**
   * Whether what travels are the values as they are, and the weights by which they are mixed are
   * those of the neighbourhood: then their sum is all that a receiver needs.
   */
  default boolean addsUp() {
    return false;
  }

  /**
   * What this node says in {@code round}, as numbers: in place of {@link #encode} where the sum of
   * all messages is taken before anybody decodes one. For encodings that {@link #addsUp add up} and
   * whose coordinates are {@linkplain #hasCommonCoordinates common}.
   *
   * @param scratch where the values may live until they have been read
   */
  default CommonValues values(int round, Scratch scratch) {
    throw new UnsupportedOperationException("what this encoding says cannot be added up");
  }

  /**
   * What values at the round's common coordinates stand for.
   *
   * @param values as many as {@link #values} has given this round; not to be changed meanwhile
   */
  default Update update(int round, float[] values, Scratch scratch) {
    throw new UnsupportedOperationException("what this encoding says cannot be added up");
  }

  /** Whether a message depends on nothing but the vector as it is. */
  default boolean isMemoryless() {
    return false;
  }

  /**
   * Whether {@link #combine} has the rule combine the vector in place, once, and does nothing else.
   */
  default boolean combinesInPlace() {
    return false;
  }

  /** Whether mixing with symmetric weights keeps the mean of all nodes' vectors. */
  default boolean keepsMean() {
    return false;
  }

  /**
   * How often each coordinate has been sent, for schemes that keep count; empty for all others and
   * where counting is switched off, as it is by default.
   */
  default Optional<ShareCounts> shareCounts() {
    return Optional.empty();
  }
}
