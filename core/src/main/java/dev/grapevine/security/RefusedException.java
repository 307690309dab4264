package dev.grapevine.security;

import java.io.IOException;

/** A connection that does not come about, because of what one end knows or shows of itself. */
public final class RefusedException extends IOException {

  /**
   * @param sentence what was wrong, for a person
   */
  public RefusedException(String sentence) {
    super(sentence);
  }

  public RefusedException(String sentence, Throwable cause) {
    super(sentence, cause);
  }

  /** The sentence. */
  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }
}
