package dev.grapevine.runtime;

/**
 * Where a life of a node begins.
 *
 * @param restsAfter the round at whose end it waits to be saved with the others before it begins;
 *     {@link #NO_REST} if it does not have to
 */
public record Entry(int firstRound, int restsAfter) {

  /** The node does not have to rest before it begins. */
  public static final int NO_REST = -1;

  /** In the place of a round: where a node does not come back by rounds. */
  public static final int ANY_ROUND = -1;

  static Entry withoutRest(int firstRound) {
    return new Entry(firstRound, NO_REST);
  }

  boolean rests() {
    return restsAfter != NO_REST;
  }
}
