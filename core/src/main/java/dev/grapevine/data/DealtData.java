package dev.grapevine.data;

import dev.grapevine.random.SplitMix;
import dev.grapevine.settings.SettingException;
import java.util.Optional;

/**
 * A loaded data set and who holds what of it: all that the nodes of one process share.
 *
 * @param splits the data
 * @param shards for each node the numbers of its training samples
 * @param settings whether to augment
 */
public record DealtData(DataSplits splits, int[][] shards, DataSettings settings) {

  private static final long VALIDATION = 1;
  private static final long DEAL = 2;
  private static final int CROP_PADDING = 4;

  /** Loads the set, holds validation samples out and deals the rest. */
  public static DealtData prepare(
      DataSource source, Partitioner partitioner, DataSettings settings, int nodes, long seed) {
    DataSplits splits =
        source.load().withValidation(settings, new SplitMix(SplitMix.mix(seed, VALIDATION)));
    if (settings.augment() && splits.train().image().isEmpty()) {
      throw new SettingException(
          "augment",
          "only images can be augmented: set=%s; leave augment out"
              .formatted(splits.train().name()));
    }
    int[][] shards = partitioner.deal(splits.train(), nodes, SplitMix.mix(seed, DEAL));
    return new DealtData(splits, shards, settings);
  }

  /** How training images are changed at random, if they are. */
  public Optional<Augmentation> augmentation() {
    return splits
        .train()
        .image()
        .filter(format -> settings.augment())
        .map(format -> new Augmentation(format, CROP_PADDING));
  }

  /** A node's walk over its shard. */
  public BatchSampler sampler(int node, int batchSize, long nodeSeed) {
    return new BatchSampler(splits.train(), shards[node], batchSize, nodeSeed, augmentation());
  }
}
