package dev.grapevine.data;

import dev.grapevine.settings.Family;

/** Deals training samples to nodes. */
public interface Partitioner {

  Family<DataContext, Partitioner> FAMILY =
      new Family<>(
          "partition", Partitioner.class, DataContext.class, "how samples are dealt to nodes");

  /**
   * For each node the numbers of its samples. The same arguments give the same deal; every process
   * of a run computes it for itself.
   *
   * @throws dev.grapevine.settings.SettingException when the settings do not fit the set or the
   *     number of nodes
   */
  int[][] deal(DataSet train, int nodes, long seed);
}
