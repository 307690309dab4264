package dev.grapevine.runtime;

import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.Outgoing;
import dev.grapevine.sharing.Continuity;
import dev.grapevine.sharing.Contribution;
import dev.grapevine.sharing.Received;
import dev.grapevine.sharing.Sharing;
import dev.grapevine.topology.Neighbourhood;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;

/** A node's sharing scheme, run on compute threads and guarded against nonsense from peers. */
final class GuardedSharing implements Sharing {

  private static final System.Logger LOG = System.getLogger(GuardedSharing.class.getName());

  private final RunningNode node;
  private final Sharing scheme;

  GuardedSharing(RunningNode node, Sharing scheme) {
    this.node = node;
    this.scheme = scheme;
  }

  @Override
  public Continuity continuity() {
    return scheme.continuity();
  }

  @Override
  public boolean needsSameStart() {
    return scheme.needsSameStart();
  }

  @Override
  public Outgoing message(int round, Neighbourhood neighbours) {
    Outgoing[] result = new Outgoing[1];
    node.share(() -> result[0] = scheme.message(round, neighbours));
    return result[0];
  }

  /** Merges; what turns out malformed is left out under {@code go-on} and fails otherwise. */
  @Override
  public void merge(Received received) {
    Received rest = received;
    while (true) {
      Received attempt = rest;
      try {
        node.share(() -> scheme.merge(attempt));
        return;
      } catch (MalformedPayloadException malformed) {
        List<Contribution> culprits = culprits(attempt, malformed);
        String complaint =
            "malformed payload from %s in round %d: %s"
                .formatted(
                    Waits.nodes(culprits.stream().mapToInt(Contribution::sender).toArray()),
                    attempt.round(),
                    malformed.getMessage());
        if (node.policy().missing() != FaultPolicy.Missing.GO_ON || culprits.isEmpty()) {
          throw new NodeFailure(complaint);
        }
        LOG.log(Level.WARNING, "node {0} left out a {1}", node.id(), complaint);
        rest = without(attempt, culprits);
      }
    }
  }

  /** Whoever the scheme names; all, if it names nobody. */
  private static List<Contribution> culprits(
      Received received, MalformedPayloadException malformed) {
    List<Contribution> named =
        received.contributions().stream()
            .filter(contribution ->
                malformed.sender().isPresent()
                    && malformed.sender().getAsInt() == contribution.sender())
            .toList();
    return named.isEmpty() ? received.contributions() : named;
  }

  private static Received without(Received received, List<Contribution> culprits) {
    List<Contribution> rest = new ArrayList<>(received.contributions());
    rest.removeAll(culprits);
    double selfWeight = received.selfWeight();
    for (Contribution culprit : culprits) {
      selfWeight += culprit.weight();
    }
    return new Received(received.round(), selfWeight, rest);
  }
}
