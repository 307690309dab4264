package dev.grapevine.message;

import java.util.OptionalInt;

/** Bytes from outside that are not what they should be. The sender is at fault, not this node. */
public final class MalformedPayloadException extends RuntimeException {

  private final OptionalInt sender;

  public MalformedPayloadException(String message) {
    super(message);
    sender = OptionalInt.empty();
  }

  public MalformedPayloadException(String message, Throwable cause) {
    super(message, cause);
    sender = OptionalInt.empty();
  }

  private MalformedPayloadException(MalformedPayloadException unsigned, int sender) {
    super(unsigned.getMessage(), unsigned);
    this.sender = OptionalInt.of(sender);
  }

  /** The same complaint with the name of who sent the bytes, if nobody named one before. */
  public MalformedPayloadException from(int sender) {
    return this.sender.isPresent() ? this : new MalformedPayloadException(this, sender);
  }

  /** Who sent the bytes, if known. */
  public OptionalInt sender() {
    return sender;
  }
}
