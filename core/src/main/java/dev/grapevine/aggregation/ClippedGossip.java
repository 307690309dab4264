package dev.grapevine.aggregation;

import dev.grapevine.scratch.Scratch;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.settings.SettingException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.IntStream;

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
      SettingException.require(
          radius.isEmpty() || radius.get() >= 0,
          "radius",
          "radius must not be negative: " + radius);
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
      boolean tooFar = factors[i] > radius;
      factors[i] = candidates.weight(i) * (tooFar ? radius / factors[i] : 1);
    }
    candidates.move(own, factors, into);
  }

  private double radius(Candidates candidates, double[] distances) {
    double[] heaviest =
        IntStream.range(0, distances.length).mapToDouble(candidates::weight).sorted().toArray();
    double distrusted = 0;
    for (int i = 0; i < Math.min(settings.bad(), heaviest.length); i++) {
      distrusted += heaviest[heaviest.length - 1 - i];
    }
    Integer[] nearestFirst = IntStream.range(0, distances.length).boxed().toArray(Integer[]::new);
    Arrays.sort(nearestFirst, Comparator.comparingDouble(i -> distances[i]));
    double trusted = 0;
    double sum = 0;
    for (int candidate : nearestFirst) {
      trusted += candidates.weight(candidate);
      if (trusted > 1 - distrusted + 1e-9 || Double.isInfinite(distances[candidate])) {
        break;
      }
      sum += candidates.weight(candidate) * distances[candidate] * distances[candidate];
    }
    return Math.sqrt(sum / distrusted);
  }
}
