package dev.grapevine.security.masking;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;

/** Where a node's secrets come from. Not safe for concurrent use. */
@FunctionalInterface
public interface Secrets {

  /** Fills an array with bytes that nobody else knows. */
  void fill(byte[] secret);

  /** So many bytes that nobody else knows. */
  default byte[] next(int length) {
    byte[] secret = new byte[length];
    fill(secret);
    return secret;
  }

  /**
   * Secrets from the machine's own source, which is asked for many at a time: each question takes
   * as long as five hundred bytes. None stays once it is given away.
   */
  static Secrets of(SecureRandom random) {
    byte[] drawn = new byte[512];
    int[] next = {drawn.length};
    return secret -> {
      for (int i = 0; i < secret.length; i++) {
        if (next[0] == drawn.length) {
          random.nextBytes(drawn);
          next[0] = 0;
        }
        secret[i] = drawn[next[0]];
        drawn[next[0]++] = 0;
      }
    };
  }

  /**
   * Secrets of a simulation, where a run must come out the same every time: they follow from
   * session and node. Two sessions have nothing in common.
   */
  static Secrets drawn(Session session, int node) {
    byte[] label = "grapevine simulated secrets".getBytes(StandardCharsets.US_ASCII);
    byte[] key = session.id();
    long[] drawn = {0};
    return secret -> {
      byte[] block = new byte[0];
      for (int i = 0; i < secret.length; i++) {
        if (i % 32 == 0) {
          byte[] place = ByteBuffer.allocate(12).putInt(node).putLong(drawn[0]++).array();
          block = Digest.of(label, key, place);
        }
        secret[i] = block[i % 32];
      }
    };
  }
}
