package dev.grapevine.aggregation;

import dev.grapevine.scratch.Scratch;
import dev.grapevine.settings.Kind;

/**
 * The middle of each coordinate over the node's own vector and those heard; of an even number, the
 * mean of the two in the middle. Weights do not count. Bears fewer than half of them lying. Costs
 * n²/2 comparisons of whole vectors for n candidates.
 */
@Kind(
    name = "median",
    summary = "the middle value of each coordinate; bears fewer than half of the senders lying",
    paper =
        "Yin, Chen, Ramchandran, Bartlett, Byzantine-robust distributed learning: towards optimal"
            + " statistical rates, ICML 2018")
public final class Median implements Aggregator {

  @Override
  public void combine(float[] own, int size, Heard heard, float[] into, Scratch scratch) {
    new Candidates(own, size, heard)
        .eachCoordinate(
            (ranked, length, result) -> {
              float[] low = ranked[(ranked.length - 1) / 2];
              float[] high = ranked[ranked.length / 2];
              for (int i = 0; i < length; i++) {
                result[i] = 0.5f * low[i] + 0.5f * high[i];
              }
            },
            into);
  }
}
