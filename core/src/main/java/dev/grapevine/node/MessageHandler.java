package dev.grapevine.node;

import dev.grapevine.message.Message;

/** Takes a message as soon as its node waits; see {@link Node#onMessage}. */
@FunctionalInterface
public interface MessageHandler {
  void handle(Message message) throws InterruptedException;
}
