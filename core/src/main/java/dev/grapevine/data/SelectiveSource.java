package dev.grapevine.data;

import java.util.function.IntPredicate;

/**
 * A source that can leave out what a process has no use for: the nodes of a worker train on their
 * own samples only, and a large set in each of many processes would fill a machine.
 */
public interface SelectiveSource extends DataSource {

  /**
   * Labels and users of all samples, by which they are dealt; no sample can be read. Nothing is
   * compared with digests: {@link #load(IntPredicate)} does that.
   */
  DataSplits labels();

  /**
   * Reads the set, but keeps of the training samples only those wanted. The others count and have
   * their labels, but cannot be read.
   */
  DataSplits load(IntPredicate wanted);

  @Override
  default DataSplits load() {
    return load(sample -> true);
  }
}
