package dev.grapevine.engine;

/** Training has left the range of numbers: the loss is infinite or not a number. */
public final class DivergedException extends RuntimeException {

  DivergedException(String message) {
    super(message);
  }
}
