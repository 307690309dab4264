package dev.grapevine.sharing;

/**
 * A vector's values at the coordinates of which all nodes speak in a round.
 *
 * @param values in the order of the coordinates; may be longer
 * @param count how many there are
 */
public record CommonValues(float[] values, int count) {}
