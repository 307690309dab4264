package dev.grapevine.engine;

/** Training has left the range of numbers: the loss or the model is infinite or not a number. */
public final class DivergedException extends RuntimeException {

  public DivergedException(String message) {
    super(message);
  }
}
