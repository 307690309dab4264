package dev.grapevine.exchange.secure;

import dev.grapevine.random.SplitMix;
import dev.grapevine.security.masking.Digest;
import dev.grapevine.security.masking.Shamir;
import dev.grapevine.security.masking.Slot;
import dev.grapevine.topology.Neighbourhood;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Those who send to one receiver in a slot, and who of them masks with whom: all with all if they
 * are few; otherwise each with his nearest on both sides, after all have been put into a ring by a
 * lot that session and slot decide. A sender's <i>place</i> is his index among the senders. His
 * partners also hold the shares of his own mask.
 */
final class Circle {

  private final Rules rules;
  private final Slot slot;
  private final int[] senders;
  private final double[] weights;
  private final byte[] drawn;

  /** Who stands where in the ring; empty when all mask with all. */
  private final int[] ring;

  private Circle(Rules rules, Slot slot, int[] senders, double[] weights) {
    this.rules = rules;
    this.slot = slot;
    this.senders = senders;
    this.weights = weights;
    this.drawn =
        ByteBuffer.allocate(28)
            .put(rules.session().id())
            .putInt(slot.receiver())
            .putInt(slot.round())
            .putInt(slot.channel())
            .array();
    this.ring = senders.length - 1 <= rules.partners() ? new int[0] : ring(senders.length);
  }

  static Circle of(Rules rules, Slot slot, Neighbourhood receiver) {
    return new Circle(rules, slot, receiver.hearsFrom(), receiver.weights());
  }

  private int[] ring(int size) {
    long lot = ByteBuffer.wrap(Digest.of(drawn)).getLong();
    return SplitMix.permutation(size, new SplitMix(lot));
  }

  Slot slot() {
    return slot;
  }

  int size() {
    return senders.length;
  }

  int sender(int place) {
    return senders[place];
  }

  double weight(int place) {
    return weights[place];
  }

  /** The place of a node; negative if it does not send. */
  int place(int node) {
    return Arrays.binarySearch(senders, node);
  }

  /** The places of those with whom the sender at a place masks, rising. */
  int[] partners(int place) {
    int size = senders.length;
    if (ring.length == 0) {
      int[] others = new int[size - 1];
      for (int i = 0; i < others.length; i++) {
        others[i] = i < place ? i : i + 1;
      }
      return others;
    }
    int at = 0;
    while (ring[at] != place) {
      at++;
    }
    int[] nearest = new int[rules.partners()];
    for (int i = 0; i < nearest.length / 2; i++) {
      nearest[2 * i] = ring[(at + i + 1) % size];
      nearest[2 * i + 1] = ring[(at - i - 1 + size) % size];
    }
    Arrays.sort(nearest);
    return nearest;
  }

  /** How many shares of a sender's own mask are needed; the same for all. */
  int threshold() {
    return Shamir.threshold(ring.length == 0 ? senders.length - 1 : rules.partners());
  }

  /** The fewest whose sum may be opened. */
  int fewest() {
    return Math.max(rules.least(), threshold());
  }

  /** What sender and receiver must agree on before their numbers mean anything. */
  long hash(int count) {
    ByteBuffer set = ByteBuffer.allocate(senders.length * 12 + 24);
    for (int i = 0; i < senders.length; i++) {
      set.putInt(senders[i]).putDouble(weights[i]);
    }
    set.putInt(count)
        .putInt(rules.numbers().bits())
        .putInt(rules.numbers().range())
        .putInt(rules.partners())
        .putInt(rules.least())
        .putInt(rules.survivesLosses() ? 1 : 0);
    return ByteBuffer.wrap(Digest.of(drawn, set.array())).getLong();
  }

  /** What a sender's check words are: a one, then a hash of who it is and when. */
  void addCheck(int place, int[] numbers, int at) {
    long word = SplitMix.mix(ByteBuffer.wrap(drawn).getLong(), senders[place]);
    word = SplitMix.mix(word, ((long) slot.receiver() << 32) ^ slot.round());
    word = SplitMix.mix(word, slot.channel());
    numbers[at] += 1;
    for (int i = 1; i < rules.checkWords(); i++) {
      numbers[at + i] += (int) word;
      word >>>= 16;
    }
  }
}
