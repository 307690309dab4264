package dev.grapevine.runtime.compute;

import dev.grapevine.random.RandomStreams;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.settings.SettingException;
import java.time.Duration;
import java.util.List;

/** Nodes of different speed: stragglers and fast ones. */
@Kind(name = "speed-factors", summary = "each node takes its own multiple of a base time")
public final class SpeedFactors implements ComputeModel {

  /** The settings of {@link SpeedFactors}. */
  public record Settings(
      @Doc("time of one round of training at factor 1") @Default("100 ms") Duration time,
      @Doc("how many times as long each node takes; starts over when there are more nodes")
          @Default("[1]")
          List<Double> factors,
      @Doc("random part of each training: up to this share more or less, below 1") @Default("0")
          double jitter) {

    public Settings {
      factors = List.copyOf(factors);
      SettingException.require(
          !time.isNegative(), "time", "time must not be negative: time=" + time);
      SettingException.require(
          !factors.isEmpty() && factors.stream().allMatch(factor -> factor >= 0),
          "factors",
          "factors must be numbers from 0 up: factors=" + factors);
      SettingException.require(
          jitter >= 0 && jitter < 1, "jitter", "jitter must be from 0 to below 1: " + jitter);
    }
  }

  private final Settings settings;
  private final long seed;

  public SpeedFactors(Settings settings, ComputeContext context) {
    this.settings = settings;
    seed = RandomStreams.mix(context.seed() ^ 0x7370656564000000L);
  }

  @Override
  public long duration(int node, int training, long measured) {
    double factor = settings.factors().get(node % settings.factors().size());
    double random = 2 * RandomStreams.uniform(seed, node, training) - 1;
    return Math.round(settings.time().toNanos() * factor * (1 + settings.jitter() * random));
  }
}
