package dev.grapevine.runtime;

import org.jspecify.annotations.Nullable;

/** Something that happens at an instant of virtual time. */
interface Event {

  /** Lets it happen; returns the node that can go on because of it, if any. */
  @Nullable SimulatedHost happen(Simulation simulation);
}
