package dev.grapevine.security.masking;

import java.util.ArrayList;
import java.util.List;

/**
 * What all nodes of a run know before it begins: its session, and everybody's public key. Whoever
 * hands out the roster is trusted, unless the keys in it are {@linkplain #statement signed} by
 * somebody who is.
 *
 * @param session the run's session
 * @param publicKeys by node
 */
public record Roster(Session session, List<byte[]> publicKeys) {

  public Roster {
    List<byte[]> copies = new ArrayList<>(publicKeys.size());
    for (byte[] key : publicKeys) {
      if (key.length != AgreementKey.BYTES) {
        throw new IllegalArgumentException(
            "a public key has %d bytes: length=%d".formatted(AgreementKey.BYTES, key.length));
      }
      copies.add(key.clone());
    }
    publicKeys = List.copyOf(copies);
  }

  /**
   * What is signed by who has a node, so that nobody can put another key in its place, nor one of
   * another session.
   */
  public static byte[] statement(Session session, int node, byte[] publicKey) {
    return Labels.join("roster", session.id(), Labels.numbers(node), publicKey);
  }
}
