package dev.grapevine.sharing.difference;

import dev.grapevine.UserException;
import dev.grapevine.topology.Neighbourhood;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Holds the topology to its promise not to change, on which sums of replicas rest. */
final class FixedNeighbours {

  private final String scheme;
  private @Nullable Neighbourhood first;

  FixedNeighbours(String scheme) {
    this.scheme = scheme;
  }

  void require(int round, Neighbourhood present) {
    if (first == null) {
      first = present;
      return;
    }
    if (first != present
        && !(Arrays.equals(first.hearsFrom(), present.hearsFrom())
            && Arrays.equals(first.weights(), present.weights()))) {
      throw new UserException(
          ("%s follows its neighbours by replicas and needs a topology that does not change:"
                  + " node=%d, round=%d; take a fixed topology, or choco with neighbours ="
                  + " \"changing\"")
              .formatted(scheme, present.node(), round));
    }
  }
}
