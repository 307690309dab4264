package dev.grapevine.results;

import java.util.Arrays;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * How much of a global epoch, a pass of all nodes together over all training data, a round is.
 * Follows from the settings of the run; what overrides change for some nodes is not in it.
 */
final class GlobalEpochs {

  private static final double USUAL_STEPS = 3;

  private GlobalEpochs() {}

  /** The share of a pass that one round makes; empty where the run does not tell. */
  static OptionalDouble ofRound(SavedRun run) {
    Map<String, String> settings = run.settings();
    double perEpoch = number(settings, "training.rounds-per-global-epoch");
    if (Double.isNaN(perEpoch)) {
      perEpoch = number(settings, "training.rounds-per-epoch");
    }
    double epochs = number(settings, "training.epochs");
    if (!Double.isNaN(perEpoch)) {
      return OptionalDouble.of(1 / perEpoch);
    }
    if (!Double.isNaN(epochs)) {
      return OptionalDouble.of(epochs);
    }
    double steps = number(settings, "training.steps");
    double batch = number(settings, "training.batch-size");
    double nodes = number(settings, "nodes.count");
    double samples =
        run.data()
            .map(counts -> Arrays.stream(counts.counts()).flatMapToInt(Arrays::stream).sum())
            .orElse(0);
    double share = (Double.isNaN(steps) ? USUAL_STEPS : steps) * batch * nodes / samples;
    return samples > 0 && share > 0 ? OptionalDouble.of(share) : OptionalDouble.empty();
  }

  private static double number(Map<String, String> settings, String key) {
    try {
      return Double.parseDouble(settings.getOrDefault(key, "NaN"));
    } catch (NumberFormatException unreadable) {
      return Double.NaN;
    }
  }
}
