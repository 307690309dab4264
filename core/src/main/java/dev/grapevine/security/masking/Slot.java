package dev.grapevine.security.masking;

import java.nio.ByteBuffer;

/**
 * What one set of masks is for; no two sets of a session have the same. It takes one block of the
 * cipher.
 *
 * @param receiver who adds up what is masked
 * @param round in which round
 * @param channel of which exchange
 */
public record Slot(int receiver, int round, int channel) {

  private static final int MASK_LABEL = 'M' << 24 | 'A' << 16 | 'S' << 8 | 'K';

  /** Nodes have three bytes and channels one, as in mailboxes. */
  private static final int LARGEST_NODE = (1 << 24) - 1;

  /** The block from which a pair's seed comes. */
  byte[] block() {
    return ByteBuffer.allocate(MaskStream.SEED_BYTES)
        .putInt(MASK_LABEL)
        .putInt(receiver)
        .putInt(round)
        .putInt(channel)
        .array();
  }

  /** The number that a share of {@code owner}'s secret is encrypted with, once for each key. */
  byte[] nonce(int owner) {
    if (owner < 0 || owner > LARGEST_NODE || channel < 0 || channel > 255) {
      throw new IllegalArgumentException("owner=%d, channel=%d".formatted(owner, channel));
    }
    return ByteBuffer.allocate(12)
        .putInt(receiver)
        .putInt(round)
        .putInt(channel << 24 | owner)
        .array();
  }
}
