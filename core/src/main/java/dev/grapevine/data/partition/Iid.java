package dev.grapevine.data.partition;

import dev.grapevine.data.DataSet;
import dev.grapevine.data.Partitioner;
import dev.grapevine.random.SplitMix;
import dev.grapevine.settings.Kind;

/**
 * Shuffles all samples and cuts them into slices whose sizes differ by at most one: every node
 * draws from the same distribution. Linear in the number of samples.
 */
@Kind(name = "iid", summary = "equal random slices: all nodes draw from the same distribution")
public final class Iid implements Partitioner {

  @Override
  public int[][] deal(DataSet train, int nodes, long seed) {
    Deal.requireEnough(train, nodes);
    return Deal.slices(SplitMix.permutation(train.size(), new SplitMix(seed)), nodes);
  }
}
