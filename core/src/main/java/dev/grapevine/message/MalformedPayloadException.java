package dev.grapevine.message;

/** Bytes from outside that are not what they should be. The sender is at fault, not this node. */
public final class MalformedPayloadException extends RuntimeException {

  public MalformedPayloadException(String message) {
    super(message);
  }

  public MalformedPayloadException(String message, Throwable cause) {
    super(message, cause);
  }
}
