package dev.grapevine.topology;

import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.settings.SettingException;

/**
 * A node keeps the share s for its own model and divides the rest evenly: w<sub>ij</sub> = (1 − s)
 * / d<sub>i</sub> with d<sub>i</sub> the number of nodes that i hears from.
 */
@Kind(
    name = "self-weight",
    summary = "A fixed share for the own model, the rest divided evenly among the neighbours.")
public final class SelfWeight implements WeightRule {

  /** How much the own model counts. */
  public record Settings(
      @Doc("share of the own model, above 0 and below 1") @Default("0.5") double share) {
    public Settings {
      SettingException.require(
          share > 0 && share < 1, "share", "share must be above 0 and below 1: share=" + share);
    }
  }

  private final double share;

  public SelfWeight(Settings settings) {
    this.share = settings.share();
  }

  @Override
  public double weight(Graph graph, int node, int peer) {
    return (1 - share) / graph.sources(node).length;
  }
}
