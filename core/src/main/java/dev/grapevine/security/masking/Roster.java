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

  /** What a node's certificate signs, so that nobody can put another key in its place. */
  public byte[] statement(int node) {
    return statement(session, node, publicKeys.get(node));
  }

  /** The same before there is a roster. */
  public static byte[] statement(Session session, int node, byte[] publicKey) {
    return Labels.join("roster", session.id(), Labels.numbers(node), publicKey);
  }
}
