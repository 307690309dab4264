package dev.grapevine.network;

import dev.grapevine.message.Message;
import java.io.IOException;

/**
 * Carries messages between the nodes of a live run. Messages from one node to another arrive in the
 * order in which they were sent, or not at all.
 */
public interface Transport extends AutoCloseable {

  /** Sends a message; waits while the receiver cannot take it (back-pressure). */
  void send(int receiver, Message message) throws IOException, InterruptedException;

  /**
   * Sends a message whose bytes may not all go yet: those who can let them go piece by piece, the
   * others wait until the last one may.
   */
  default void send(int receiver, Message message, Gate gate)
      throws IOException, InterruptedException {
    gate.await(message.payload().size());
    send(receiver, message);
  }

  /** Says when bytes may go. */
  @FunctionalInterface
  interface Gate {

    /** Waits until so many bytes of a message's payload, counted from its first, may go. */
    void await(int bytes) throws InterruptedException;
  }

  /** Whether a connection is being opened: whoever sends over it does not wait for its receiver. */
  default boolean isOpening() {
    return false;
  }

  /** Tells every other node that {@code node} will send no more. */
  void sayGoodbye(int node);

  /** Closes everything and waits for the threads of the transport to end. */
  @Override
  void close();
}
