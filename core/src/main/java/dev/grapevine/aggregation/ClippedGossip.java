package dev.grapevine.aggregation;

import dev.grapevine.scratch.Scratch;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.settings.SettingException;
import java.util.Optional;

/**
 * ClippedGossip, or self-centred clipping: x ← x + Σ w_j clip(x_j − x, τ), so that nobody moves the
 * node by more than w_j τ. Without a fixed radius, τ² = (1/δ) Σ w_j ‖x_j − x‖² over the nearest
 * senders of total weight 1 − δ, where δ is the weight of the {@code bad} heaviest. An infinite
 * radius is the weighted mean.
 */
@Kind(
    name = "clipped-gossip",
    summary = "moves towards each neighbour by a bounded distance only (self-centred clipping)",
    paper =
        "He, Karimireddy, Jaggi, Byzantine-robust decentralized learning via ClippedGossip, 2022")
public final class ClippedGossip implements Aggregator {

  private final Settings settings;

  /** What an experiment file can say about it. */
  public record Settings(
      @Doc("the farthest that a neighbour can pull, at least 0; found by distances when left out")
          Optional<Double> radius,
      @Doc("how many neighbours may lie, for a radius that is found, at least 1") @Default("1")
          int bad) {
    public Settings {
      double given = radius.orElse(0.0);
      SettingException.require(given >= 0, "radius", "radius must not be negative: " + radius);
      SettingException.require(bad >= 1, "bad", "bad must be at least 1: bad=" + bad);
    }
  }

  public ClippedGossip(Settings settings) {
    this.settings = settings;
  }

  @Override
  public void combine(float[] own, int size, Heard heard, float[] into, Scratch scratch) {
    Candidates candidates = new Candidates(own, size, heard);
    double[] factors = candidates.distances(own);
    double radius = settings.radius().orElseGet(() -> radius(candidates, factors));
    for (int i = 0; i < factors.length; i++) {
      factors[i] = candidates.weight(i) * (factors[i] > radius ? radius / factors[i] : 1);
    }
    candidates.move(own, factors, into);
  }

  private double radius(Candidates candidates, double[] distances) {
    double distrusted = candidates.heaviest(settings.bad());
    double squares = candidates.squaresOfNearest(distances, 1 - distrusted);
    return Math.sqrt(squares / distrusted);
  }
}
