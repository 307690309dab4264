package dev.grapevine.runtime.report;

import java.util.Arrays;

/**
 * Bytes that a node has sent, by peer: a hash table with linear probing, 12 bytes a slot. Most
 * nodes talk to few peers; one that talks to more than {@value #MOST_PEERS} is no longer counted,
 * so that memory never grows with the square of the nodes.
 */
public final class LinkBytes {

  static final int MOST_PEERS = 256;
  private static final int NOBODY = -1;

  private int[] peers = {NOBODY, NOBODY, NOBODY, NOBODY, NOBODY, NOBODY, NOBODY, NOBODY};
  private long[] bytes = new long[peers.length];
  private int count;

  public void add(int peer, long sent) {
    if (count > MOST_PEERS) {
      return;
    }
    int slot = slot(peer);
    if (peers[slot] == NOBODY) {
      count++;
      if (count > MOST_PEERS) {
        peers = new int[0];
        bytes = new long[0];
        return;
      }
      if (2 * count > peers.length) {
        grow();
        slot = slot(peer);
      }
      peers[slot] = peer;
    }
    bytes[slot] += sent;
  }

  private int slot(int peer) {
    int mask = peers.length - 1;
    int slot = peer * 0x9E3779B9 >>> 8 & mask;
    while (peers[slot] != NOBODY && peers[slot] != peer) {
      slot = slot + 1 & mask;
    }
    return slot;
  }

  private void grow() {
    int[] oldPeers = peers;
    long[] oldBytes = bytes;
    peers = new int[2 * oldPeers.length];
    bytes = new long[peers.length];
    Arrays.fill(peers, NOBODY);
    for (int i = 0; i < oldPeers.length; i++) {
      if (oldPeers[i] != NOBODY) {
        int slot = slot(oldPeers[i]);
        peers[slot] = oldPeers[i];
        bytes[slot] = oldBytes[i];
      }
    }
  }

  /** Peer and bytes by turns, to be saved; nothing when there were too many peers. */
  public long[] pairs() {
    int[] known = peers();
    long[] pairs = new long[2 * known.length + 1];
    pairs[0] = count;
    for (int i = 0; i < known.length; i++) {
      pairs[2 * i + 1] = known[i];
      pairs[2 * i + 2] = bytes(known[i]);
    }
    return pairs;
  }

  /** Goes on from {@link #pairs}. */
  public void restore(long[] pairs) {
    if (pairs[0] > MOST_PEERS) {
      count = MOST_PEERS + 1;
      peers = new int[0];
      bytes = new long[0];
      return;
    }
    for (int i = 1; i < pairs.length; i += 2) {
      add((int) pairs[i], pairs[i + 1]);
    }
  }

  /** The peers in rising order; none when there were too many. */
  public int[] peers() {
    return Arrays.stream(peers).filter(peer -> peer != NOBODY).sorted().toArray();
  }

  public long bytes(int peer) {
    return bytes[slot(peer)];
  }
}
