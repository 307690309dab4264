package dev.grapevine.app.data;

import dev.grapevine.data.DataSet;
import java.util.BitSet;

/**
 * How many samples of each class each node has.
 *
 * @param counts by node, then by class; one column for a set without classes
 * @param users by node, how many users its samples stem from; 0 in a set without users
 */
record Deal(int[][] counts, int[] users) {

  static Deal count(DataSet train, int[][] shards) {
    int[][] counts = new int[shards.length][Math.max(1, train.classes())];
    int[] users = new int[shards.length];
    for (int node = 0; node < shards.length; node++) {
      BitSet seen = new BitSet();
      for (int sample : shards[node]) {
        counts[node][train.label(sample)]++;
        if (train.users().present()) {
          seen.set(train.users().ofSample()[sample]);
        }
      }
      users[node] = seen.cardinality();
    }
    return new Deal(counts, users);
  }

  int nodes() {
    return counts.length;
  }

  int classes() {
    return counts[0].length;
  }

  int samples(int node) {
    int sum = 0;
    for (int count : counts[node]) {
      sum += count;
    }
    return sum;
  }

  int classesHeld(int node) {
    int held = 0;
    for (int count : counts[node]) {
      held += count > 0 ? 1 : 0;
    }
    return held;
  }

  int largestCount() {
    int largest = 0;
    for (int[] ofNode : counts) {
      for (int count : ofNode) {
        largest = Math.max(largest, count);
      }
    }
    return largest;
  }
}
