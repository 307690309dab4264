package dev.grapevine.runtime.fault;

import dev.grapevine.random.RandomStreams;
import dev.grapevine.state.State;
import org.jspecify.annotations.Nullable;

/**
 * Decides what becomes of one node's messages. Chance is a pure function of the seed, the link and
 * the message's place in its sender's history: the same on every clock as long as nodes send the
 * same.
 */
public final class Interference {

  /** Arrives once, at once. */
  private static final long[] AS_USUAL = {0};

  private static final long[] LOST = {};

  private final MessageFaults faults;
  private final int sender;
  private final long lossSeed;
  private final long duplicateSeed;
  private final long holdSeed;
  private final long delaySeed;
  private long ordinal;
  private long lost;

  private Interference(MessageFaults faults, int sender, long seed) {
    this.faults = faults;
    this.sender = sender;
    lossSeed = RandomStreams.mix(seed ^ 0x6C6F7374L);
    duplicateSeed = RandomStreams.mix(seed ^ 0x7477696365L);
    holdSeed = RandomStreams.mix(seed ^ 0x686F6C64L);
    delaySeed = RandomStreams.mix(seed ^ 0x64656C6179L);
  }

  /** What happens to the messages of {@code sender}; null when nothing does. */
  public static @Nullable Interference of(MessageFaults faults, int sender, long seed) {
    return faults.isNone() ? null : new Interference(faults, sender, seed);
  }

  /** Declares how far it has got. */
  public void declare(State state) {
    state.value("ordinal", () -> ordinal, saved -> ordinal = saved);
    state.value("lost", () -> lost, saved -> lost = saved);
  }

  /**
   * How much later than usual each copy of the next message sets out, in ns; none if it is lost.
   */
  public long[] delays(int receiver, long now) {
    long link = (long) sender << 32 | receiver;
    long at = ordinal++;
    if (RandomStreams.uniform(lossSeed, link, at) < faults.loss()
        || faults.partitions().stream().anyMatch(each -> each.cuts(sender, receiver, now))) {
      lost++;
      return LOST;
    }
    long delay =
        RandomStreams.uniform(holdSeed, link, at) < faults.heldBack()
            ? (long) (faults.heldFor().toNanos() * RandomStreams.uniform(delaySeed, link, at))
            : 0;
    if (RandomStreams.uniform(duplicateSeed, link, at) < faults.duplicates()) {
      return new long[] {delay, delay};
    }
    return delay == 0 ? AS_USUAL : new long[] {delay};
  }

  /** How many messages were lost so far. */
  public long lost() {
    return lost;
  }
}
