package dev.grapevine.topology;

/**
 * One node's view of the topology in one round: whom it sends to, whom it hears from, and how much
 * each of them counts when models are mixed. Peers are in rising order, without the node itself;
 * {@code selfWeight} and the weights add up to one.
 *
 * @param node whose neighbourhood it is
 * @param sendsTo the peers it sends to
 * @param hearsFrom the peers it hears from; in an undirected topology the same as {@code sendsTo}
 * @param weights the mixing weight of each of {@code hearsFrom}
 * @param selfWeight the mixing weight of the node's own model
 */
public record Neighbourhood(
    int node, int[] sendsTo, int[] hearsFrom, double[] weights, double selfWeight) {

  /** Number of peers it sends to. */
  public int degree() {
    return sendsTo.length;
  }

  /** The neighbourhood of a node that only knows whom it sends to. */
  public static Neighbourhood sendingTo(int node, int... peers) {
    return new Neighbourhood(node, peers, new int[0], new double[0], 1);
  }

  /** The neighbourhood of a node that talks to nobody. */
  public static Neighbourhood alone(int node) {
    return new Neighbourhood(node, new int[0], new int[0], new double[0], 1);
  }
}
