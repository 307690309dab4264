package dev.grapevine.runtime;

import dev.grapevine.aggregation.Aggregator;
import dev.grapevine.aggregation.WeightedMean;
import dev.grapevine.exchange.Secrecy;
import dev.grapevine.learning.Learner;
import dev.grapevine.protocol.Protocol;
import dev.grapevine.random.RandomStreams;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.sharing.Encodings;
import dev.grapevine.sharing.SharingContext;
import dev.grapevine.state.State;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What makes one node: each instance belongs to it alone.
 *
 * @param learner its model and data
 * @param encoding how its model travels; built on the learner's parameters
 * @param encodings how its protocol's other vectors travel
 * @param aggregator how it combines what it hears
 * @param protocol what it does
 * @param state all that it remembers
 * @param secrecy how it keeps what it says from those who hear it; null when it does not
 */
public record NodeSetup(
    Learner learner,
    Encoding encoding,
    Encodings encodings,
    Aggregator aggregator,
    Protocol protocol,
    State state,
    @Nullable Secrecy secrecy) {

  /** A node that speaks in the open. */
  public NodeSetup(
      Learner learner,
      Encoding encoding,
      Encodings encodings,
      Aggregator aggregator,
      Protocol protocol,
      State state) {
    this(learner, encoding, encodings, aggregator, protocol, state, null);
  }

  /** The same node with secrets. */
  public NodeSetup with(@Nullable Secrecy secrecy) {
    return new NodeSetup(learner, encoding, encodings, aggregator, protocol, state, secrecy);
  }

  /**
   * A node whose encodings are all of one scheme.
   *
   * @param context what the model's encoding knows of the node
   */
  public static NodeSetup of(
      Learner learner,
      SharingContext context,
      Function<SharingContext, Encoding> sharing,
      Aggregator aggregator,
      Protocol protocol,
      State state) {
    Encodings encodings =
        (name, vector) -> {
          State part = state.part("exchange").part(name);
          return sharing.apply(
              new SharingContext(
                  context.node(),
                  context.nodes(),
                  vector,
                  context.blocks(),
                  context.seed(),
                  part.stream(
                      "random",
                      RandomStreams.of(context.seed(), context.node(), "sharing " + name)),
                  part,
                  context.samples()));
        };
    return new NodeSetup(learner, sharing.apply(context), encodings, aggregator, protocol, state);
  }

  /** A node that begins and takes the weighted mean. */
  public static NodeSetup of(
      Learner learner,
      SharingContext context,
      Function<SharingContext, Encoding> sharing,
      Protocol protocol) {
    return of(learner, context, sharing, new WeightedMean(), protocol, State.fresh());
  }
}
