package dev.grapevine;

/**
 * A mistake the user can mend. The message says what is wrong, where, and what to do about it; the
 * command line prints it alone, without a stack trace, and exits with code 2.
 */
public final class UserException extends RuntimeException {

  public UserException(String message) {
    super(message);
  }

  public UserException(String message, Throwable cause) {
    super(message, cause);
  }
}
