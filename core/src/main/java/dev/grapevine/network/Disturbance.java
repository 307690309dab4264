package dev.grapevine.network;

import dev.grapevine.random.RandomStreams;
import dev.grapevine.settings.SettingException;
import java.time.Duration;

/** Jitter and loss as pure functions of the message's place in its sender's history. */
final class Disturbance {

  private final long jitter;
  private final double loss;
  private final long jitterSeed;
  private final long lossSeed;

  Disturbance(Duration jitter, double loss, long seed) {
    this.jitter = jitter.toNanos();
    this.loss = loss;
    jitterSeed = RandomStreams.mix(seed ^ 0x6A69747465720000L);
    lossSeed = RandomStreams.mix(seed ^ 0x6C6F737300000000L);
  }

  static void check(Duration latency, Duration jitter, double loss) {
    SettingException.require(
        !latency.isNegative(), "latency", "latency must not be negative: latency=" + latency);
    SettingException.require(
        !jitter.isNegative(), "jitter", "jitter must not be negative: jitter=" + jitter);
    SettingException.require(
        loss >= 0 && loss <= 1, "loss", "loss must be from 0 to 1: loss=" + loss);
  }

  long disturb(long latency, int sender, int receiver, long ordinal) {
    long link = (long) sender << 32 | receiver;
    if (loss > 0 && RandomStreams.uniform(lossSeed, link, ordinal) < loss) {
      return LinkModel.LOST;
    }
    return jitter == 0
        ? latency
        : latency + (long) (jitter * RandomStreams.uniform(jitterSeed, link, ordinal));
  }
}
