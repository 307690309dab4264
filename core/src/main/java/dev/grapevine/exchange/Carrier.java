package dev.grapevine.exchange;

import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.Outgoing;
import dev.grapevine.scratch.Scratch;
import dev.grapevine.topology.Neighbourhood;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What an exchange stands on: the runtime's side of it. */
public interface Carrier {

  /** Sends a channel's payloads to every peer that {@code to} sends to. */
  void send(Neighbourhood to, int channel, int round, Outgoing outgoing)
      throws InterruptedException;

  /**
   * Waits for a channel's payloads from everyone {@code from} hears from, until the deadline of the
   * experiment's fault policy; the weight of who is missing has gone to the node itself.
   */
  Received receive(Neighbourhood from, int channel, int round) throws InterruptedException;

  /** A node's place in the topology at {@code round}; null where the topology does not know it. */
  default @Nullable Neighbourhood neighbours(int node, int round) {
    return null;
  }

  /** Runs encoding or combining on a compute thread, counted as time for sharing. */
  void share(Consumer<Scratch> work) throws InterruptedException;

  /** Complains of a payload: the node fails, unless the experiment lets it go on without. */
  void reject(int sender, MalformedPayloadException complaint);
}
