package dev.grapevine.network;

import dev.grapevine.settings.Bandwidth;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.settings.SettingException;
import java.time.Duration;

/**
 * Each node has one uplink and one downlink, which its messages share evenly (processor sharing). A
 * message has arrived when its last byte has left the sender's uplink and travelled, and has passed
 * the receiver's downlink. Close to max-min fairness at O(log n) per message.
 */
@Kind(
    name = "shared-bandwidth",
    summary = "a delay, and an uplink and a downlink per node that messages share evenly")
public final class SharedBandwidthLinks implements LinkModel {

  /** The settings of {@link SharedBandwidthLinks}. */
  public record Settings(
      @Doc("time of a byte from sender to receiver") @Default("10 ms") Duration latency,
      @Doc("what a node can send") @Default("100 Mbit/s") Bandwidth upload,
      @Doc("what a node can receive") @Default("100 Mbit/s") Bandwidth download,
      @Doc("a uniform random delay up to this much is added") @Default("0 ms") Duration jitter,
      @Doc("share of messages that are lost, from 0 to 1") @Default("0") double loss) {

    public Settings {
      Disturbance.check(latency, jitter, loss);
      SettingException.require(
          upload.bitsPerSecond() > 0, "upload", "upload must be positive: upload=" + upload);
      SettingException.require(
          download.bitsPerSecond() > 0,
          "download",
          "download must be positive: download=" + download);
    }
  }

  private static final double NANOS = 1e9;

  private final long latency;
  private final double uplink;
  private final double downlink;
  private final Disturbance disturbance;

  public SharedBandwidthLinks(Settings settings, LinkContext context) {
    latency = settings.latency().toNanos();
    uplink = settings.upload().bytesPerSecond() / NANOS;
    downlink = settings.download().bytesPerSecond() / NANOS;
    disturbance = new Disturbance(settings.jitter(), settings.loss(), context.seed());
  }

  @Override
  public long latency(int sender, int receiver, long now, long ordinal) {
    return disturbance.disturb(latency, sender, receiver, ordinal);
  }

  @Override
  public double uplink(int node, long now) {
    return uplink;
  }

  @Override
  public double downlink(int node, long now) {
    return downlink;
  }

  @Override
  public boolean limitsBandwidth() {
    return true;
  }
}
