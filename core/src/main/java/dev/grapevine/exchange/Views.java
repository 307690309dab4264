package dev.grapevine.exchange;

import dev.grapevine.topology.Neighbourhood;
import org.jspecify.annotations.Nullable;

/**
 * What a node knows of how others mix in a round. Masks need it: those who send to one node mask
 * with each other, each scaled by the receiver's weights.
 */
@FunctionalInterface
public interface Views {

  /** The neighbourhood of {@code node}; null when it is not known. */
  @Nullable Neighbourhood of(int node);
}
