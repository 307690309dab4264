package dev.grapevine.protocol;

import dev.grapevine.node.Node;

/** Draws from all learners: for nodes that know everyone. */
record UniformSampler(Node self) implements PeerSampler {

  @Override
  public int[] peers(int round, int count) {
    return Sample.present(
        self,
        Sample.peers(
            self.random(), self.learners(), self.id(), Math.min(count, self.learners() - 1)));
  }
}
