package dev.grapevine.protocol;

/** Tells a node whom to send its model to. */
interface PeerSampler {

  /**
   * Different peers, rising, without the node itself; called once a round.
   *
   * @param count how many are wanted; there may be fewer
   */
  int[] peers(int round, int count) throws InterruptedException;
}
