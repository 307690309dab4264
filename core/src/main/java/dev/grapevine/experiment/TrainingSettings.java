package dev.grapevine.experiment;

import static dev.grapevine.settings.SettingException.require;

import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * What the table {@code [training]} says besides the optimizer and the schedule. The work of a
 * round is given in one of four ways: as mini-batches, as passes over the node's data, or as the
 * number of rounds that make up one pass over the node's data or over all nodes' data.
 */
public record TrainingSettings(
    @Default("0.05") @Doc("learning rate, above 0") double rate,
    @Default("8") @Doc("samples in a mini-batch, at least 1") int batchSize,
    @Doc("mini-batches per round; 3 unless epochs or rounds-per-epoch is given") OptionalInt steps,
    @Doc("passes over the node's data per round") OptionalDouble epochs,
    @Doc("rounds that make up one pass over the node's data") OptionalInt roundsPerEpoch,
    @Doc(
            "rounds that make up one pass of all nodes over all data: samples / (rounds · batch-size"
                + " · nodes) mini-batches, rounded down, alike on all nodes; as in the JWINS++ thesis")
        OptionalInt roundsPerGlobalEpoch,
    @Default("false") @Doc("forget momentum and the like after every averaging")
        boolean resetOptimizer,
    @Doc("bound of the gradient's Euclidean norm; none unless given") OptionalDouble clipNorm,
    @Doc("bound of every gradient value; none unless given") OptionalDouble clipValue) {

  private static final int STEPS = 3;

  public TrainingSettings {
    require(rate > 0 && Double.isFinite(rate), "rate", "rate must be above 0: rate=" + rate);
    require(batchSize >= 1, "batch-size", "batch-size must be at least 1: batch-size=" + batchSize);
    require(steps.orElse(1) >= 0, "steps", "steps must not be negative: steps=" + steps.orElse(0));
    double passes = epochs.orElse(1);
    require(
        passes > 0 && Double.isFinite(passes),
        "epochs",
        "epochs must be above 0: epochs=" + passes);
    require(
        roundsPerEpoch.orElse(1) >= 1,
        "rounds-per-epoch",
        "rounds-per-epoch must be at least 1: rounds-per-epoch=" + roundsPerEpoch.orElse(1));
    require(
        steps.isEmpty() || epochs.isEmpty(),
        "epochs",
        "steps and epochs both say how much a round trains; keep one");
    require(
        roundsPerEpoch.isEmpty() || (steps.isEmpty() && epochs.isEmpty()),
        "rounds-per-epoch",
        "rounds-per-epoch says how much a round trains; leave out steps and epochs");
    require(
        roundsPerGlobalEpoch.orElse(1) >= 1,
        "rounds-per-global-epoch",
        "rounds-per-global-epoch must be at least 1: rounds-per-global-epoch="
            + roundsPerGlobalEpoch.orElse(1));
    require(
        roundsPerGlobalEpoch.isEmpty()
            || (steps.isEmpty() && epochs.isEmpty() && roundsPerEpoch.isEmpty()),
        "rounds-per-global-epoch",
        "rounds-per-global-epoch says how much a round trains; leave out steps, epochs and"
            + " rounds-per-epoch");
    requirePositive(clipNorm, "clip-norm");
    requirePositive(clipValue, "clip-value");
  }

  private static void requirePositive(OptionalDouble bound, String key) {
    require(bound.orElse(1) > 0, key, "%s must be above 0: %s=%s".formatted(key, key, bound));
  }

  /**
   * How many mini-batches a node trains in a round.
   *
   * @param samples those of the node
   * @param all those of all nodes
   */
  public int localSteps(int samples, long all, int nodes) {
    if (roundsPerGlobalEpoch.isPresent()) {
      double batches = (double) all / batchSize / nodes / roundsPerGlobalEpoch.getAsInt();
      return (int) Math.max(1, batches);
    }
    double batches = Math.ceil((double) samples / batchSize);
    if (roundsPerEpoch.isPresent()) {
      return (int) Math.max(1, Math.ceil(batches / roundsPerEpoch.getAsInt()));
    }
    if (epochs.isPresent()) {
      return (int) Math.clamp(Math.round(batches * epochs.getAsDouble()), 1, Integer.MAX_VALUE);
    }
    return steps.orElse(STEPS);
  }
}
