package dev.grapevine.aggregation;

import dev.grapevine.scratch.Scratch;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.settings.SettingException;

/**
 * The point whose weighted distances to all candidates add up to the least, by a few steps of the
 * smoothed Weiszfeld iteration from the node's own vector: z ← Σ β x / Σ β with β = w / max(ν, ‖z −
 * x‖). Costs two passes over what was heard for each step.
 */
@Kind(
    name = "geometric-median",
    summary = "the point nearest to all by the sum of distances (RFA)",
    paper = "Pillutla, Kakade, Harchaoui, Robust aggregation for federated learning, IEEE TSP 2022")
public final class GeometricMedian implements Aggregator {

  private final Settings settings;

  /** What an experiment file can say about it. */
  public record Settings(
      @Doc("steps of the iteration, at least 1") @Default("8") int steps,
      @Doc("the least distance that counts, above 0") @Default("0.1") double smoothing) {
    public Settings {
      SettingException.require(steps >= 1, "steps", "steps must be at least 1: steps=" + steps);
      SettingException.require(
          smoothing > 0, "smoothing", "smoothing must be above 0: smoothing=" + smoothing);
    }
  }

  public GeometricMedian(Settings settings) {
    this.settings = settings;
  }

  @Override
  public void combine(float[] own, int size, Heard heard, float[] into, Scratch scratch) {
    Candidates candidates = new Candidates(own, size, heard);
    float[] point = scratch.floats("aggregation.point", size);
    System.arraycopy(own, 0, point, 0, size);
    for (int step = 0; step < settings.steps(); step++) {
      double[] factors = candidates.distances(point);
      double sum = 0;
      for (int i = 0; i < factors.length; i++) {
        factors[i] = candidates.weight(i) / Math.max(settings.smoothing(), factors[i]);
        sum += factors[i];
      }
      if (sum > 0) {
        for (int i = 0; i < factors.length; i++) {
          factors[i] /= sum;
        }
        candidates.move(point, factors, point);
      }
    }
    System.arraycopy(point, 0, into, 0, size);
  }
}
