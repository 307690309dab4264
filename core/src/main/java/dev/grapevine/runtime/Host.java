package dev.grapevine.runtime;

import dev.grapevine.message.Message;
import dev.grapevine.message.Payload;
import dev.grapevine.node.MessageHandler;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** What a node stands on: a clock, a mailbox, a way out and compute threads. Times are in ns. */
interface Host {

  /** A deadline that never comes. */
  long NEVER = Long.MAX_VALUE;

  /** Time since the run began. */
  long now();

  void sleep(long nanos) throws InterruptedException;

  /**
   * Runs a round's training on a compute thread.
   *
   * @param training how often the node has trained before
   * @param delay how much longer than usual it takes
   */
  void train(Runnable work, int training, long delay) throws InterruptedException;

  /** Runs work on a compute thread; takes no virtual time. */
  void compute(Runnable work) throws InterruptedException;

  void send(int peer, Message message) throws InterruptedException;

  /** The round's payload of each sender, null for those that are missing at the deadline. */
  @Nullable Payload[] receive(int[] from, int round, long deadline) throws InterruptedException;

  /** The next tagged message; null when none came until the deadline. */
  @Nullable Message receiveTagged(long deadline) throws InterruptedException;

  /** Whether {@code peer} has said that it will send no more. */
  boolean isGone(int peer);

  /**
   * Gives messages with {@code tag} to a handler, on the node's own thread, while the node trains,
   * sleeps or waits for messages.
   */
  void onMessage(int tag, MessageHandler handler);

  /** Waits until the condition holds, asking after each handled message; false at the deadline. */
  boolean await(BooleanSupplier condition, long deadline) throws InterruptedException;

  /** Counters of what arrived; exact once the node has ended. */
  Mailbox mailbox();
}
