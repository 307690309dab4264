package dev.grapevine.cluster;

import dev.grapevine.UserException;
import dev.grapevine.security.RefusedException;
import dev.grapevine.security.Trust;
import dev.grapevine.security.WorkerIdentity;
import dev.grapevine.security.masking.AgreementKey;
import dev.grapevine.security.masking.Roster;
import dev.grapevine.security.masking.Session;
import java.io.ByteArrayOutputStream;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Public keys of nodes on their way through the coordinator. A worker signs those of its own nodes
 * with its certificate, together with the run's session, and looks at the signatures of all others.
 * Where an authority has made the certificates, nobody can put another key in place of a node's.
 * Where workers made their own, or have none, the coordinator could: it is trusted then.
 */
final class KeyNotary {

  private final Control.Roster roster;
  private final Optional<WorkerIdentity> identity;

  /**
   * @param identity of this worker; without one nothing is signed
   */
  KeyNotary(Control.Roster roster, Optional<WorkerIdentity> identity) {
    this.roster = roster;
    this.identity = identity;
  }

  /** The keys of this worker's nodes, by node. */
  Control.Keys sign(SortedMap<Integer, byte[]> own) {
    ByteArrayOutputStream keys = new ByteArrayOutputStream();
    own.values().forEach(keys::writeBytes);
    return new Control.Keys(
        keys.toByteArray(),
        identity.map(signer -> signer.sign(statement(own))).orElseGet(() -> new byte[0]));
  }

  /**
   * All nodes' keys.
   *
   * @throws UserException when some worker has signed others, or none
   */
  SortedMap<Integer, byte[]> read(Control.AllKeys all) {
    if (all.workers().size() != roster.entries().size()) {
      throw new UserException(
          "there are keys of %d workers, but the roster has %d"
              .formatted(all.workers().size(), roster.entries().size()));
    }
    SortedMap<Integer, byte[]> keys = new TreeMap<>();
    for (int rank = 0; rank < all.workers().size(); rank++) {
      keys.putAll(read(rank, all.workers().get(rank)));
    }
    return keys;
  }

  private SortedMap<Integer, byte[]> read(int rank, Control.Keys told) {
    List<Integer> nodes = nodesOf(rank);
    if (told.keys().length != nodes.size() * AgreementKey.BYTES) {
      throw new UserException(
          "worker %d has %d nodes, but its keys have %d bytes and not %d"
              .formatted(
                  rank, nodes.size(), told.keys().length, nodes.size() * AgreementKey.BYTES));
    }
    SortedMap<Integer, byte[]> keys = new TreeMap<>();
    for (int i = 0; i < nodes.size(); i++) {
      keys.put(
          nodes.get(i),
          Arrays.copyOfRange(told.keys(), i * AgreementKey.BYTES, (i + 1) * AgreementKey.BYTES));
    }
    if (identity.isPresent()) {
      requireSigned(rank, statement(keys), told.signature(), identity.get());
    }
    return keys;
  }

  private List<Integer> nodesOf(int rank) {
    int[] workerOf = roster.workerOf();
    return IntStream.range(0, workerOf.length)
        .filter(node -> workerOf[node] == rank)
        .boxed()
        .toList();
  }

  private void requireSigned(int rank, byte[] statement, byte[] signature, WorkerIdentity own) {
    try {
      X509Certificate certificate =
          WorkerIdentity.certificate(roster.entries().get(rank).certificate());
      if (own.authority().isPresent()) {
        Trust.authority(own.authority().get()).check(certificate, rank);
      }
      if (!WorkerIdentity.hasSigned(certificate, statement, signature)) {
        throw new RefusedException(
            "its certificate has not signed them; somebody has put others in their place");
      }
    } catch (RefusedException | CertificateException e) {
      throw new UserException(
          "the keys of worker %d's nodes are not believed: %s".formatted(rank, e.getMessage()), e);
    }
  }

  private byte[] statement(SortedMap<Integer, byte[]> keys) {
    Session session = Session.drawn(roster.session());
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    keys.forEach((node, key) -> whole.writeBytes(Roster.statement(session, node, key)));
    return whole.toByteArray();
  }
}
