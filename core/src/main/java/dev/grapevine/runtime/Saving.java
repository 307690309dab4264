package dev.grapevine.runtime;

import dev.grapevine.state.State;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * How a run is saved and what it goes on from.
 *
 * @param cuts takes what is saved
 * @param from the cut to go on from
 * @param maker makes a node anew from its number and state; null where none can be made again
 */
public record Saving(
    Cuts cuts, Resumption from, @Nullable BiFunction<Integer, State, NodeSetup> maker) {

  /** A run that begins and is not saved. */
  public static final Saving NONE = new Saving(Cuts.NONE, Resumption.NONE, null);

  /** Whether nodes need to account for what they remember. */
  boolean isUsed() {
    return cuts != Cuts.NONE || from != Resumption.NONE;
  }
}
