package dev.grapevine.data.partition;

import static dev.grapevine.settings.SettingException.require;

import dev.grapevine.data.DataSet;
import dev.grapevine.data.Partitioner;
import dev.grapevine.random.SplitMix;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import java.util.Arrays;

/**
 * Sorts the samples by class, cuts them into {@code nodes * k} shards and deals each node k of them
 * at random. The sizes of shards differ by at most one, and so do those of nodes. A shard that is
 * no longer than the smallest class meets at most two classes, so a node sees at most 2k. Within a
 * class the order is random. With {@code overlap} every node draws k different shards for itself,
 * whatever the others have drawn.
 */
@Kind(
    name = "shards",
    summary = "sorted by class and cut; each node takes a few pieces, so few classes",
    paper =
        "H. B. McMahan et al., Communication-Efficient Learning of Deep Networks from Decentralized"
            + " Data, AISTATS 2017")
public final class Shards implements Partitioner {

  /**
   * @param shardsPerNode k
   * @param overlap whether nodes draw independently of each other
   */
  public record Settings(
      @Doc("pieces per node, 1 or more; a node sees at most twice as many classes") @Default("2")
          int shardsPerNode,
      @Doc(
              "whether each node draws its pieces for itself, so that some samples lie on several"
                  + " nodes and some on none, as in the JWINS++ thesis")
          @Default("false")
          boolean overlap) {
    public Settings {
      require(
          shardsPerNode >= 1,
          "shards-per-node",
          "shards-per-node must be at least 1: shards-per-node=" + shardsPerNode);
    }
  }

  private final int shardsPerNode;
  private final boolean overlap;

  public Shards(Settings settings) {
    shardsPerNode = settings.shardsPerNode();
    overlap = settings.overlap();
  }

  @Override
  public int[][] deal(DataSet train, int nodes, long seed) {
    Deal.requireClasses(train, "shards");
    Deal.requireEnough(train, nodes);
    long shards = (long) nodes * shardsPerNode;
    require(
        shards <= train.size(),
        "shards-per-node",
        "more shards than samples: nodes=%d, shards-per-node=%d, samples=%d"
            .formatted(nodes, shardsPerNode, train.size()));
    SplitMix random = new SplitMix(seed);
    int[] sorted = Deal.concatenate(Deal.byClass(train, random));
    int[] order = SplitMix.permutation((int) shards, random);
    int[][] pieces = new int[(int) shards][];
    int from = 0;
    for (int shard : order) {
      int length = length(train.size(), nodes, shard);
      pieces[shard] = Arrays.copyOfRange(sorted, from, from + length);
      from += length;
    }
    int[][] dealt = new int[nodes][];
    for (int node = 0; node < nodes; node++) {
      int[][] own = pieces;
      int first = node * shardsPerNode;
      if (overlap) {
        own = shuffled(pieces, random);
        first = 0;
      }
      dealt[node] = Deal.concatenate(Arrays.copyOfRange(own, first, first + shardsPerNode));
    }
    return dealt;
  }

  private static int[][] shuffled(int[][] pieces, SplitMix random) {
    int[] order = SplitMix.permutation(pieces.length, random);
    int[][] shuffled = new int[pieces.length][];
    Arrays.setAll(shuffled, i -> pieces[order[i]]);
    return shuffled;
  }

  /** The node's even part of all samples, evenly parted again among its shards. */
  private int length(int samples, int nodes, int shard) {
    int ofNode = Deal.sliceLength(samples, shard / shardsPerNode, nodes);
    return Deal.sliceLength(ofNode, shard % shardsPerNode, shardsPerNode);
  }
}
