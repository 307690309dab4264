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

  /** Tells every other node that {@code node} will send no more. */
  void sayGoodbye(int node);

  /** Closes everything and waits for the threads of the transport to end. */
  @Override
  void close();
}
