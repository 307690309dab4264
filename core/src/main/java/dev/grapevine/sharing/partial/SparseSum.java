package dev.grapevine.sharing.partial;

import dev.grapevine.sharing.Averaging;
import dev.grapevine.sharing.Workspace;
import java.util.Arrays;

/**
 * By how much the messages of a round change a node's coordinates.
 *
 * <p>Messages are gathered and then applied together, one block of coordinates after the other, so
 * that the node's coordinates pass through the cache once and not once for each message. Of one
 * coordinate's terms the order is that of the messages. Uses float slots 2 and 4 and int slots 1
 * and 2 of the workspace.
 */
final class SparseSum {

  /** Coordinates of a block; three arrays of it stay in the first-level cache. */
  private static final int BLOCK = 2048;

  private final Averaging averaging;
  private final float[] own;
  private final int size;
  private final float[] change;

  /** One more than the number of messages that held the coordinate. */
  private final int[] heard;

  // Messages that were added and not yet applied, one behind the other.
  private final int[] indices;
  private final float[] values;
  private final int[] ends;
  private final float[] weights;
  private int messages;
  private boolean begun;

  /**
   * @param own the node's coordinates
   * @param most how many messages will be added at most
   */
  SparseSum(Averaging averaging, float[] own, int size, int most, Workspace workspace) {
    this.averaging = averaging;
    this.own = own;
    this.size = size;
    change = workspace.floats(2, size);
    heard = workspace.ints(1, size);
    indices = workspace.ints(2, size);
    values = workspace.floats(4, size);
    ends = new int[most + 1];
    weights = new float[most];
  }

  /** Adds a message: rising indices and their values. */
  void add(int[] indices, float[] values, int count, float weight) {
    if (ends[messages] + count > size) {
      apply(false);
    }
    int at = ends[messages];
    System.arraycopy(indices, 0, this.indices, at, count);
    System.arraycopy(values, 0, this.values, at, count);
    weights[messages++] = weight;
    ends[messages] = at + count;
  }

  /** The change of every coordinate. */
  float[] finish() {
    apply(true);
    return change;
  }

  private void apply(boolean last) {
    int[] next = Arrays.copyOf(ends, messages);
    for (int from = 0; from < size; from += BLOCK) {
      int to = Math.min(size, from + BLOCK);
      if (!begun) {
        Arrays.fill(change, from, to, 0f);
        Arrays.fill(heard, from, to, 1);
      }
      for (int message = 0; message < messages; message++) {
        next[message] =
            switch (averaging) {
              case MIXING_WEIGHTS -> mix(next[message], ends[message + 1], to, weights[message]);
              case PARAMETER_WISE -> count(next[message], ends[message + 1], to);
            };
      }
      if (last && averaging == Averaging.PARAMETER_WISE) {
        for (int i = from; i < to; i++) {
          change[i] /= heard[i];
        }
      }
    }
    begun = true;
    messages = 0;
  }

  /** Applies a message from its entry {@code from} up to coordinate {@code to}. */
  private int mix(int from, int end, int to, float weight) {
    int[] indices = this.indices;
    float[] values = this.values;
    float[] own = this.own;
    float[] change = this.change;
    int i = from;
    for (; i < end && indices[i] < to; i++) {
      int at = indices[i];
      change[at] += weight * (values[i] - own[at]);
    }
    return i;
  }

  private int count(int from, int end, int to) {
    int[] indices = this.indices;
    float[] values = this.values;
    float[] own = this.own;
    float[] change = this.change;
    int[] heard = this.heard;
    int i = from;
    for (; i < end && indices[i] < to; i++) {
      int at = indices[i];
      change[at] += values[i] - own[at];
      heard[at]++;
    }
    return i;
  }
}
