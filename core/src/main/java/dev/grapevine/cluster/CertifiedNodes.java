package dev.grapevine.cluster;

import dev.grapevine.UserException;
import dev.grapevine.security.CertifiedParty;
import dev.grapevine.security.RefusedException;
import dev.grapevine.security.WorkerIdentity;

/**
 * Holds a roster to what an authority has certified: no worker may be given a node that its
 * certificate does not name. Every worker looks for itself, since the roster comes from one whom it
 * may not trust.
 */
final class CertifiedNodes {

  private CertifiedNodes() {}

  static void check(Control.Roster roster) {
    for (int rank = 0; rank < roster.entries().size(); rank++) {
      byte[] certificate = roster.entries().get(rank).certificate();
      if (certificate.length > 0) {
        check(roster.workerOf(), rank, certificate);
      }
    }
  }

  private static void check(int[] workerOf, int rank, byte[] certificate) {
    CertifiedParty party;
    try {
      party = CertifiedParty.of(WorkerIdentity.certificate(certificate)).orElse(null);
    } catch (RefusedException e) {
      throw new UserException("the roster's certificate of worker %d is none".formatted(rank), e);
    }
    if (party == null || party.nodes().isEmpty()) {
      return;
    }
    for (int node = 0; node < workerOf.length; node++) {
      if (workerOf[node] == rank && !party.nodes().get().contains(node)) {
        throw new UserException(
            "worker %d is given node %d, but its certificate is of %s; deal the nodes as certified,"
                    .formatted(rank, node, party)
                + " or make another certificate");
      }
    }
  }
}
