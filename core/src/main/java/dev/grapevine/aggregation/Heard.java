package dev.grapevine.aggregation;

import java.util.List;

/**
 * All that a node combines in one exchange, by rising sender so that sums come out the same every
 * time. The weights and {@code selfWeight} add up to one, unless the protocol says otherwise. A
 * {@code selfWeight} of zero means that the node's own vector is no candidate: a server over its
 * clients.
 *
 * @param round the exchange's round
 * @param selfWeight how much the node's own vector counts
 * @param averaging how a weighted mean counts what only some have sent
 * @param updates what came
 */
public record Heard(int round, double selfWeight, Averaging averaging, List<Weighted> updates) {

  /** One sender's update and how much it counts. */
  public record Weighted(int sender, double weight, Update update) {}

  /** Whether nobody left out a coordinate. */
  public boolean isWhole() {
    for (Weighted each : updates) {
      if (!each.update().isWhole()) {
        return false;
      }
    }
    return true;
  }

  /** The same updates, each counting as much as the node's own. */
  public Heard equallyWeighted() {
    double weight = 1.0 / (updates.size() + 1);
    return new Heard(
        round,
        weight,
        averaging,
        updates.stream().map(each -> new Weighted(each.sender(), weight, each.update())).toList());
  }

  /** The same updates, averaged in another way. */
  public Heard averaged(Averaging averaging) {
    return new Heard(round, selfWeight, averaging, updates);
  }

  /**
   * Adds the weighted sum of the updates to {@code sum}: what schemes live on that know no more of
   * their neighbours than that.
   */
  public void addTo(float[] sum) {
    for (Weighted each : updates) {
      each.update().addTo(sum, (float) each.weight());
    }
  }
}
