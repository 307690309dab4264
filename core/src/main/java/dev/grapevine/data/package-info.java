/**
 * Data sets and how to deal them to nodes.
 *
 * <p>A {@link dev.grapevine.data.DataSource} loads a {@link dev.grapevine.data.DataSet} once per
 * process, in a compact form (bytes for pixels); all nodes of the process read that one copy. A
 * {@link dev.grapevine.data.Partitioner} gives every node a list of sample numbers, its shard, and
 * a {@link dev.grapevine.data.BatchSampler} walks over a shard, turning samples into normalised
 * floats only while it fills a batch.
 */
@NullMarked
package dev.grapevine.data;

import org.jspecify.annotations.NullMarked;
