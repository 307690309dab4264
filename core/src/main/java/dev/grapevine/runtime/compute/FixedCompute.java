package dev.grapevine.runtime.compute;

import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.settings.SettingException;
import java.time.Duration;

/** Every round of training takes the same time on every node. */
@Kind(name = "fixed", summary = "every round of training takes the same time")
public final class FixedCompute implements ComputeModel {

  /** The settings of {@link FixedCompute}. */
  public record Settings(@Doc("time of one round of training") @Default("100 ms") Duration time) {

    public Settings {
      SettingException.require(
          !time.isNegative(), "time", "time must not be negative: time=" + time);
    }
  }

  private final long time;

  public FixedCompute(Settings settings) {
    time = settings.time().toNanos();
  }

  @Override
  public long duration(int node, int training, long measured) {
    return time;
  }
}
