package dev.grapevine.exchange.secure;

import dev.grapevine.security.masking.FixedPoint;
import dev.grapevine.security.masking.Session;
import dev.grapevine.topology.Neighbourhood;

/**
 * What all nodes of a run hold to.
 *
 * @param session the run's session
 * @param least never a sum over fewer
 * @param numbers how values become numbers
 * @param partners with how many others a sender masks at most; even
 * @param survivesLosses whether masks are double, so that a sum can be had without some senders
 * @param seed where rounding by lot comes from
 * @param nanosPerByte how long a simulated node takes for a byte of masks
 */
public record Rules(
    Session session,
    int least,
    FixedPoint numbers,
    int partners,
    boolean survivesLosses,
    long seed,
    double nanosPerByte) {

  /** Whether a neighbourhood's sum tells of none of those in it, and cannot wrap. */
  boolean allow(Neighbourhood of) {
    int senders = of.hearsFrom().length;
    double total = 0;
    for (double weight : of.weights()) {
      total += weight;
    }
    return senders >= least
        && senders <= numbers.mostSenders()
        && total > 0
        && total <= 1 + FixedPoint.WEIGHT_SLACK;
  }

  /** Words at the end of a message by which the sum shows that all masks are off: 8 bytes. */
  int checkWords() {
    return Long.SIZE / numbers.bits();
  }

  /** Bytes of a number on the wire. */
  int wordBytes() {
    return numbers.bits() / Byte.SIZE;
  }
}
