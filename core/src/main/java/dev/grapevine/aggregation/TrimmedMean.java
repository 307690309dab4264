package dev.grapevine.aggregation;

import dev.grapevine.scratch.Scratch;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.settings.SettingException;
import java.util.Arrays;

/**
 * The mean of each coordinate over the node's own vector and those heard, without the {@code bad}
 * smallest and the {@code bad} largest values. Weights do not count; with {@code bad = 0} it is the
 * plain mean. Where so few were heard that nothing would be left, the node keeps its own.
 */
@Kind(
    name = "trimmed-mean",
    summary = "the mean of each coordinate without its smallest and largest values",
    paper =
        "Yin, Chen, Ramchandran, Bartlett, Byzantine-robust distributed learning: towards optimal"
            + " statistical rates, ICML 2018")
public final class TrimmedMean implements Aggregator {

  private final int bad;

  /** What an experiment file can say about it. */
  public record Settings(
      @Doc("how many senders may lie: so many values are left out at each end, at least 0")
          @Default("1")
          int bad) {
    public Settings {
      SettingException.require(bad >= 0, "bad", "bad must not be negative: bad=" + bad);
    }
  }

  public TrimmedMean(Settings settings) {
    bad = settings.bad();
  }

  @Override
  public void combine(float[] own, int size, Heard heard, float[] into, Scratch scratch) {
    Candidates candidates = new Candidates(own, size, heard);
    int kept = candidates.count() - 2 * bad;
    if (kept < 1) {
      System.arraycopy(own, 0, into, 0, size);
      return;
    }
    candidates.eachCoordinate(
        (ranked, length, result) -> {
          Arrays.fill(result, 0f);
          for (int rank = bad; rank < bad + kept; rank++) {
            for (int i = 0; i < length; i++) {
              result[i] += ranked[rank][i] / kept;
            }
          }
        },
        into);
  }
}
