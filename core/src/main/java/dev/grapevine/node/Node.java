package dev.grapevine.node;

import dev.grapevine.exchange.Exchange;
import dev.grapevine.learning.Learner;
import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.Message;
import dev.grapevine.message.Payload;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.state.State;
import dev.grapevine.topology.Neighbourhood;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * The only door through which a protocol touches the world: time, randomness, training, messages,
 * records. The same protocol therefore runs on a wall clock and on a virtual one, in memory and
 * over sockets. Blocking methods throw {@link InterruptedException} when the run ends early.
 */
public interface Node {

  /** Longer than any run: the {@link #patience} of a node that waits as long as it takes. */
  Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE);

  int id();

  /** How many nodes take part, counting this one and the protocol's servers. */
  int nodes();

  /**
   * How many nodes hold data. They are numbered from 0; the {@linkplain
   * dev.grapevine.protocol.Protocol#servers servers} come after them.
   */
  int learners();

  /** How many rounds the experiment has. */
  int rounds();

  /** The protocol's own random stream on this node. */
  RandomGenerator random();

  /** The model and data of this node; touch it inside {@link #compute} only. */
  Learner learner();

  /** The exchange of this node's model, by the experiment's sharing scheme and aggregation. */
  Exchange model();

  /**
   * A further exchange, of a vector of the protocol's own that is as long as the model, such as a
   * tracker: the experiment's sharing scheme and aggregation once more, with their own state and
   * their own channel. All nodes open their exchanges in the same order.
   *
   * @param name what it is called among the node's state
   */
  Exchange exchange(String name, float[] vector);

  /** The same with an encoding of the protocol's own, built on {@code vector}. */
  Exchange exchange(String name, float[] vector, Encoding encoding);

  /** Mixes the model with those of this round's neighbours. */
  default void mix(int round) throws InterruptedException {
    model().mix(round, neighbours(round));
  }

  /** The round to begin with: 0, or the one after a resumed run's checkpoint. */
  default int firstRound() {
    return 0;
  }

  /**
   * A vector that the protocol must remember from round to round: zeros at first, filled as it was
   * when a run is resumed.
   */
  float[] state(String name, int size);

  /** All that this node remembers, for what is not a vector of zeros at first. */
  State state();

  /** This node's place in the topology at {@code round}. */
  Neighbourhood neighbours(int round);

  /** Time since the run began: wall-clock or virtual. */
  Duration time();

  void sleep(Duration duration) throws InterruptedException;

  /** Runs the round's local training steps and returns their mean loss; takes their time. */
  default double train() throws InterruptedException {
    return train(learner()::train);
  }

  /**
   * Runs local work of the protocol's own in place of the usual steps; takes the same time.
   *
   * @param work returns the training loss, which is recorded
   */
  double train(DoubleSupplier work) throws InterruptedException;

  /** Runs work on a compute thread; takes no virtual time. */
  <T> T compute(Supplier<T> work) throws InterruptedException;

  /** Sends one message of the protocol's own; {@code tag} is from 1 to 239. */
  void send(int peer, int tag, int round, Payload payload) throws InterruptedException;

  /**
   * How long the node's uplink is still busy before it has room for another message; zero on links
   * that have no limit, or none that the runtime knows.
   */
  default Duration sendingFor() {
    return Duration.ZERO;
  }

  /**
   * Takes the next message that was sent with a tag, in order of arrival; empty when none came
   * within {@code timeout}.
   */
  Optional<Message> receive(Duration timeout) throws InterruptedException;

  /**
   * From now on, messages with {@code tag} do not queue for {@link #receive}: the handler takes
   * them, on this node's own thread, whenever the node waits in a method of this interface. So a
   * node answers while it trains, and still only one thing happens at a time. A handler takes no
   * virtual time and does not wait.
   */
  void onMessage(int tag, MessageHandler handler);

  /**
   * Waits, while handlers run, until {@code condition} holds; it is asked again after each message
   * that a handler took and each peer that {@linkplain #isGone went}. Returns false when it does
   * not hold after {@code timeout}.
   */
  boolean await(BooleanSupplier condition, Duration timeout) throws InterruptedException;

  /**
   * The same between two requests, on a node that has no rounds of its own, such as a server's
   * client: all that it must remember is in its {@linkplain #state state} now. While such a node
   * waits here and all others are at the end of a round, the run can be saved.
   */
  boolean awaitRequest(BooleanSupplier condition, Duration timeout) throws InterruptedException;

  /**
   * Complains of a message that makes no sense. The node fails with the sender's name, unless the
   * experiment lets it go on: then the caller goes on without the message. What a handler, {@link
   * #onMessage}, throws comes here by itself.
   */
  void reject(int sender, MalformedPayloadException complaint);

  /**
   * Whether {@code peer} is known to have failed or to be down: it answers nothing, so that nobody
   * needs to wait for it. One that stops without a word is not known to be gone; one that comes
   * back is gone no longer, from the round on in which it takes part again.
   */
  boolean isGone(int peer);

  /**
   * How often {@code peer} has come back after it was down. What a protocol knows of a peer is
   * worth nothing once this has changed.
   */
  default int returns(int peer) {
    return 0;
  }

  /** How long the experiment lets a node wait for a peer that stays silent; perhaps for ever. */
  Duration patience();

  /**
   * Ends a round: evaluates the model if the experiment asks for it in this round, which takes no
   * virtual time, and saves the node if a checkpoint is due. A resumed node does not come back
   * here: it begins the round after it, so that what a round does comes before.
   */
  void evaluate(int round) throws InterruptedException;

  /** Records a figure of the protocol's own. */
  void record(int round, String metric, double value);
}
