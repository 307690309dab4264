package dev.grapevine.node;

import dev.grapevine.learning.Learner;
import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.Message;
import dev.grapevine.message.Outgoing;
import dev.grapevine.message.Payload;
import dev.grapevine.sharing.Received;
import dev.grapevine.sharing.Sharing;
import dev.grapevine.topology.Neighbourhood;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * The only door through which a protocol touches the world: time, randomness, training, messages,
 * records. The same protocol therefore runs on a wall clock and on a virtual one, in memory and
 * over sockets. Blocking methods throw {@link InterruptedException} when the run ends early.
 */
public interface Node {

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

  /**
   * The sharing scheme of this node. Its methods run on a compute thread, the caller waits; they
   * take no virtual time.
   */
  Sharing sharing();

  /** This node's place in the topology at {@code round}. */
  Neighbourhood neighbours(int round);

  /** Time since the run began: wall-clock or virtual. */
  Duration time();

  void sleep(Duration duration) throws InterruptedException;

  /** Runs the round's local training steps; takes the time that training takes. */
  void train() throws InterruptedException;

  /** Runs local work of the protocol's own in place of the usual steps; takes the same time. */
  void train(Runnable work) throws InterruptedException;

  /** Runs work on a compute thread; takes no virtual time. */
  <T> T compute(Supplier<T> work) throws InterruptedException;

  /** Sends the round's model exchange to every peer that {@code to} sends to. */
  void send(Neighbourhood to, int round, Outgoing outgoing) throws InterruptedException;

  /** Sends one message of the protocol's own; {@code tag} is from 1 to 255. */
  void send(int peer, int tag, int round, Payload payload) throws InterruptedException;

  /**
   * Waits for the round's model exchange from everyone {@code from} hears from, until the deadline
   * of the experiment's fault policy. Messages of later rounds are kept, those of earlier rounds
   * dropped.
   */
  Received receiveFrom(Neighbourhood from, int round) throws InterruptedException;

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
   * that a handler took. Returns false when it does not hold after {@code timeout}.
   */
  boolean await(BooleanSupplier condition, Duration timeout) throws InterruptedException;

  /**
   * Complains of a message that makes no sense. The node fails with the sender's name, unless the
   * experiment lets it go on: then the caller goes on without the message. What a handler, {@link
   * #onMessage}, throws comes here by itself.
   */
  void reject(int sender, MalformedPayloadException complaint);

  /** How long the experiment lets a node wait for a peer that stays silent. */
  Duration patience();

  /** Evaluates the model if the experiment asks for it in this round; takes no virtual time. */
  void evaluate(int round) throws InterruptedException;

  /** Records a figure of the protocol's own. */
  void record(int round, String metric, double value);
}
