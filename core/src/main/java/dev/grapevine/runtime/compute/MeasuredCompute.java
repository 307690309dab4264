package dev.grapevine.runtime.compute;

import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.settings.SettingException;

/**
 * Training takes as long as it really took on this machine, times a factor. The trace hash differs
 * from run to run.
 */
@Kind(name = "measured", summary = "training takes as long as it really does, times a factor")
public final class MeasuredCompute implements ComputeModel {

  /** The settings of {@link MeasuredCompute}. */
  public record Settings(
      @Doc("how many times slower a node is than this machine's core") @Default("1")
          double factor) {

    public Settings {
      SettingException.require(factor > 0, "factor", "factor must be positive: factor=" + factor);
    }
  }

  private final double factor;

  public MeasuredCompute(Settings settings) {
    factor = settings.factor();
  }

  @Override
  public long duration(int node, int training, long measured) {
    return Math.round(measured * factor);
  }

  @Override
  public boolean measures() {
    return true;
  }
}
