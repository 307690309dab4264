package dev.grapevine.security.masking;

import java.util.HashMap;
import java.util.Map;

/**
 * One node's keys with all others, each agreed on when it is first needed and kept for the session.
 * Not safe for concurrent use.
 */
public final class KeyRing {

  private final int node;
  private final AgreementKey own;
  private final Roster roster;
  private final PairCiphers ciphers = new PairCiphers();
  private final Map<Integer, PairKeys> pairs = new HashMap<>();

  public KeyRing(int node, AgreementKey own, Roster roster) {
    this.node = node;
    this.own = own;
    this.roster = roster;
  }

  /** The keys with another node. */
  public PairKeys with(int peer) {
    return pairs.computeIfAbsent(
        peer,
        missing ->
            PairKeys.derive(
                roster.session(), own.agree(roster.publicKeys().get(peer)), node, peer, ciphers));
  }
}
