package dev.grapevine.data;

import dev.grapevine.random.SplitMix;
import dev.grapevine.settings.SettingException;
import java.util.BitSet;
import java.util.Optional;
import java.util.function.IntPredicate;

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

  /**
   * How many training samples, {@linkplain #spaced evenly spaced}, every process has, whatever its
   * nodes: by them processes know that they have the same set.
   */
  public static final int ALWAYS_HELD = 1000;

  /** The i-th of so many evenly spaced samples. */
  public static int spaced(int i, int count, int samples) {
    return (int) ((long) i * samples / count);
  }

  /** Loads the set, holds validation samples out and deals the rest. */
  public static DealtData prepare(
      DataSource source, Partitioner partitioner, DataSettings settings, int nodes, long seed) {
    return dealt(source.load(), partitioner, settings, nodes, seed);
  }

  /**
   * The same for a process that has some of the nodes: samples that are nobody's here are left out
   * where the source can do that.
   *
   * @param here the nodes of this process
   */
  public static DealtData prepare(
      DataSource source,
      Partitioner partitioner,
      DataSettings settings,
      int nodes,
      long seed,
      IntPredicate here) {
    if (!(source instanceof SelectiveSource selective)) {
      return prepare(source, partitioner, settings, nodes, seed);
    }
    DealtData all = dealt(selective.labels(), partitioner, settings, nodes, seed);
    BitSet wanted = all.wanted(here);
    return new DealtData(
        selective
            .load(wanted::get)
            .withValidation(settings, new SplitMix(SplitMix.mix(seed, VALIDATION))),
        all.shards,
        settings);
  }

  /** The samples that a process needs, by their numbers in the set as it is loaded. */
  private BitSet wanted(IntPredicate here) {
    BitSet wanted = new BitSet();
    for (int node = 0; node < shards.length; node++) {
      if (here.test(node)) {
        for (int sample : shards[node]) {
          wanted.set(loaded(splits.train(), sample));
        }
      }
    }
    int samples = splits.train().size();
    int held = Math.min(ALWAYS_HELD, samples);
    for (int i = 0; i < held; i++) {
      wanted.set(loaded(splits.train(), spaced(i, held, samples)));
    }
    if (splits.train() instanceof Subset && splits.validation().isPresent()) {
      DataSet validation = splits.validation().get();
      for (int i = 0; i < validation.size(); i++) {
        wanted.set(loaded(validation, i));
      }
    }
    return wanted;
  }

  private static int loaded(DataSet set, int sample) {
    return set instanceof Subset part ? part.inWhole(sample) : sample;
  }

  private static DealtData dealt(
      DataSplits loaded, Partitioner partitioner, DataSettings settings, int nodes, long seed) {
    DataSplits splits =
        loaded.withValidation(settings, new SplitMix(SplitMix.mix(seed, VALIDATION)));
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
