package dev.grapevine.network;

import dev.grapevine.message.Message;

/** Hands messages over within the process: the encoded payload itself, without a copy. */
public final class MemoryTransport implements Transport {

  private final Inbox inbox;
  private final int nodes;

  public MemoryTransport(Inbox inbox, int nodes) {
    this.inbox = inbox;
    this.nodes = nodes;
  }

  @Override
  public void send(int receiver, Message message) throws InterruptedException {
    inbox.deliver(receiver, message);
  }

  @Override
  public void sayGoodbye(int node) {
    for (int receiver = 0; receiver < nodes; receiver++) {
      if (receiver != node) {
        inbox.gone(receiver, node);
      }
    }
  }

  @Override
  public void close() {}
}
