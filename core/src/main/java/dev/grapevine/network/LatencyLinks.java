package dev.grapevine.network;

import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import java.time.Duration;

/** Every message takes the same time, give or take a jitter, whatever its size. */
@Kind(name = "latency", summary = "a fixed delay with optional jitter and loss, any bandwidth")
public final class LatencyLinks implements LinkModel {

  /** The settings of {@link LatencyLinks}. */
  public record Settings(
      @Doc("time from sender to receiver") @Default("10 ms") Duration latency,
      @Doc("a uniform random delay up to this much is added") @Default("0 ms") Duration jitter,
      @Doc("share of messages that are lost, from 0 to 1") @Default("0") double loss) {

    public Settings {
      Disturbance.check(latency, jitter, loss);
    }
  }

  private final long latency;
  private final Disturbance disturbance;

  public LatencyLinks(Settings settings, LinkContext context) {
    latency = settings.latency().toNanos();
    disturbance = new Disturbance(settings.jitter(), settings.loss(), context.seed());
  }

  @Override
  public long latency(int sender, int receiver, long now, long ordinal) {
    return disturbance.disturb(latency, sender, receiver, ordinal);
  }

  @Override
  public double uplink(int node, long now) {
    return Double.POSITIVE_INFINITY;
  }

  @Override
  public double downlink(int node, long now) {
    return Double.POSITIVE_INFINITY;
  }

  @Override
  public boolean limitsBandwidth() {
    return false;
  }
}
