package dev.grapevine.runtime.fault;

import java.time.Duration;
import java.util.BitSet;
import java.util.List;

/**
 * What goes wrong with messages on their way, on purpose.
 *
 * @param loss share of messages that are lost
 * @param duplicates share of messages that arrive twice
 * @param heldBack share of messages that are held back, so that later ones overtake them
 * @param heldFor for how long they are held back at most
 * @param partitions when the network falls apart
 */
public record MessageFaults(
    double loss, double duplicates, double heldBack, Duration heldFor, List<Partition> partitions) {

  /** Nothing goes wrong. */
  public static final MessageFaults NONE = new MessageFaults(0, 0, 0, Duration.ZERO, List.of());

  /**
   * For a while, some nodes and all others hear nothing of each other.
   *
   * @param from since the run began
   * @param to since the run began
   * @param nodes those of one side
   */
  public record Partition(Duration from, Duration to, BitSet nodes) {

    boolean cuts(int sender, int receiver, long now) {
      return from.toNanos() <= now
          && now < to.toNanos()
          && nodes.get(sender) != nodes.get(receiver);
    }
  }

  public MessageFaults {
    partitions = List.copyOf(partitions);
  }

  /** Whether a message may never arrive. */
  public boolean losesMessages() {
    return loss > 0 || !partitions.isEmpty();
  }

  public boolean isNone() {
    return !losesMessages() && duplicates == 0 && heldBack == 0;
  }
}
