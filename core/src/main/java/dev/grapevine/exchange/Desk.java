package dev.grapevine.exchange;

import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.Message;
import dev.grapevine.message.Payload;
import dev.grapevine.scratch.Scratch;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Where a node's {@link SecretSum} sends and hears its own small messages: the runtime's side of
 * it. They have the tags from {@value #FIRST_TAG} to 255, which protocols do not have.
 */
public interface Desk {

  /** The first of the tags that are not a protocol's. */
  int FIRST_TAG = 240;

  /** Takes a message on the node's own thread, and does not wait. */
  @FunctionalInterface
  interface Handler {
    void handle(Message message) throws InterruptedException;
  }

  /** The node's number. */
  int node();

  void send(int peer, int tag, int round, Payload payload) throws InterruptedException;

  void onMessage(int tag, Handler handler);

  /**
   * Waits, while handlers run, until the condition holds, but not longer than the experiment lets a
   * node wait so many times for a peer.
   */
  boolean await(BooleanSupplier condition, int patience) throws InterruptedException;

  /** Whether a peer has said that it will send no more. */
  boolean isGone(int peer);

  /** Runs work on a compute thread, counted as time for sharing. */
  void share(Consumer<Scratch> work) throws InterruptedException;

  /** Complains of a payload: the node fails, unless the experiment lets it go on without. */
  void reject(int sender, MalformedPayloadException complaint);

  /** A clock for measuring, in ns; it has nothing to do with the run's time. */
  long nanos();

  /** Spends time of a simulated run, in ns; nothing on a wall clock. */
  void spend(long nanos) throws InterruptedException;
}
