package dev.grapevine.runtime.simulated;

import org.jspecify.annotations.Nullable;

/** Something that happens at an instant of virtual time. */
interface Event {

  /** Lets it happen; returns the node that can go on because of it, if any. */
  @Nullable SimulatedHost happen(Simulation simulation);

  /**
   * Reads what {@link #happen} will need, shortly before it does. Among ten thousand nodes nothing
   * of it is in the cache; events that happen one after the other would wait for memory one after
   * the other, but several that read ahead wait together. Returns anything that depends on what was
   * read, so that no compiler can leave the reading out.
   */
  default int readAhead() {
    return 0;
  }
}
