package dev.grapevine.security.masking;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * One start of a run. Every start, resume and fork is another session: doing a round again with the
 * old masks and another model would give away the difference of the two models.
 */
public final class Session {

  /** Size of its number. */
  public static final int BYTES = 16;

  private final byte[] id;

  private Session(byte[] id) {
    this.id = id;
  }

  /** A session of a run in which something is to be kept secret. */
  public static Session fresh(SecureRandom random) {
    byte[] id = new byte[BYTES];
    random.nextBytes(id);
    return new Session(id);
  }

  /**
   * The session that words stand for. In a simulation, whose secrets follow from the session, they
   * must tell all sessions apart in which different models could be masked: the seed, the first
   * round, what the experiment says. Many processes take the name that their run was given, which
   * is never used again; their secrets are drawn anew besides.
   */
  public static Session drawn(String words) {
    return new Session(Arrays.copyOf(Digest.of(words.getBytes(StandardCharsets.UTF_8)), BYTES));
  }

  /** The session with a number that came from elsewhere. */
  public static Session of(byte[] id) {
    if (id.length != BYTES) {
      throw new IllegalArgumentException(
          "a session has %d bytes: length=%d".formatted(BYTES, id.length));
    }
    return new Session(id.clone());
  }

  /** Its number. */
  public byte[] id() {
    return id.clone();
  }

  @Override
  public String toString() {
    return HexFormat.of().formatHex(id);
  }
}
