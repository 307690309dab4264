package dev.grapevine.runtime.compute;

import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.settings.SettingException;

/**
 * Training, encoding and merging take as long as they really took on this machine, times a factor.
 * With {@code cores} the nodes share so many of them, first come, first served, as they do in a
 * live run on one machine. The trace hash differs from run to run.
 */
@Kind(
    name = "measured",
    summary = "training, encoding and merging take as long as they really do, times a factor")
public final class MeasuredCompute implements ComputeModel {

  /** The settings of {@link MeasuredCompute}. */
  public record Settings(
      @Doc("how many times slower a node is than this machine's core") @Default("1") double factor,
      @Doc("cores that all nodes share, first come, first served; 0 for one a node") @Default("0")
          int cores) {

    public Settings {
      SettingException.require(factor > 0, "factor", "factor must be positive: factor=" + factor);
      SettingException.require(cores >= 0, "cores", "cores must not be negative: cores=" + cores);
    }
  }

  private final double factor;

  /** When each core is free; empty where every node has one. */
  private final long[] free;

  public MeasuredCompute(Settings settings) {
    factor = settings.factor();
    free = new long[settings.cores()];
  }

  @Override
  public long duration(int node, int training, long measured) {
    return Math.round(measured * factor);
  }

  @Override
  public long duration(int node, int training, long measured, long now) {
    long alone = duration(node, training, measured);
    if (free.length == 0) {
      return alone;
    }
    int first = 0;
    for (int core = 1; core < free.length; core++) {
      first = free[core] < free[first] ? core : first;
    }
    free[first] = Math.max(free[first], now) + alone;
    return free[first] - now;
  }

  @Override
  public boolean measures() {
    return true;
  }
}
