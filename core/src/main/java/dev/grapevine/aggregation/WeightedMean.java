package dev.grapevine.aggregation;

import dev.grapevine.aggregation.Heard.Weighted;
import dev.grapevine.engine.kernel.SignalKernels;
import dev.grapevine.scratch.Scratch;
import dev.grapevine.settings.Kind;
import java.util.Arrays;
import java.util.List;

/**
 * The weighted mean: x ← w_i x_i + Σ_j w_j x_j, with the weights of the topology, or coordinate by
 * coordinate over those who sent it where the encoding {@linkplain Averaging asks for that}.
 *
 * <p>Streams over what was heard, one block of coordinates after the other, so that the node's own
 * vector passes through the cache once and not once for each message. Of one coordinate's terms the
 * order is that of the messages.
 */
@Kind(
    name = "weighted",
    summary = "the mean with the topology's weights",
    paper =
        "Lian et al., Can Decentralized Algorithms Outperform Centralized Algorithms?, NIPS 2017")
public final class WeightedMean implements Aggregator {

  /** Coordinates of a block; three arrays of it stay in the first-level cache. */
  private static final int BLOCK = 2048;

  private static final float[] NOTHING_KEPT = {};

  @Override
  public boolean isLinear() {
    return true;
  }

  @Override
  public void combine(float[] own, int size, Heard heard, float[] into, Scratch scratch) {
    if (heard.isWhole()) {
      mixWhole(own, size, heard, into, NOTHING_KEPT);
      return;
    }
    float[] change = scratch.floats("aggregation.point", size);
    change(own, size, heard, change, scratch);
    for (int i = 0; i < size; i++) {
      into[i] = own[i] + change[i];
    }
  }

  @Override
  public boolean combineIfFinite(float[] own, int size, Heard heard, Scratch scratch) {
    if (!heard.isWhole()) {
      return false;
    }
    float[] before = scratch.floats("aggregation.point", size);
    boolean isFinite = mixWhole(own, size, heard, own, before);
    if (!isFinite) {
      System.arraycopy(before, 0, own, 0, size);
    }
    return isFinite;
  }

  /**
   * @param before where the node's own vector is kept, if it is not empty
   * @return whether the mean is finite, each block looked at while it is in the cache
   */
  private static boolean mixWhole(
      float[] own, int size, Heard heard, float[] into, float[] before) {
    List<Weighted> updates = heard.updates();
    float self = selfWeight(heard);
    boolean isOwn = self == 0 && updates.isEmpty();
    boolean isTheirs = self == 0 && updates.size() == 1 && updates.getFirst().weight() == 1;
    float[] block = new float[Math.min(BLOCK, size)];
    boolean isFinite = true;
    for (int from = 0; from < size; from += BLOCK) {
      int to = Math.min(from + BLOCK, size);
      if (before.length > 0) {
        System.arraycopy(own, from, before, from, to - from);
      }
      if (isTheirs) {
        updates.getFirst().update().read(from, to - from, own, block);
        System.arraycopy(block, 0, into, from, to - from);
      } else {
        scale(isOwn ? 1 : self, own, into, from, to);
        for (Weighted each : updates) {
          add((float) each.weight(), each.update(), own, into, from, to, block);
        }
      }
      isFinite &= Finite.all(into, from, to);
    }
    return isFinite;
  }

  private static void scale(float self, float[] own, float[] sum, int from, int to) {
    if (self == 0) {
      Arrays.fill(sum, from, to, 0f);
      return;
    }
    for (int i = from; i < to; i++) {
      sum[i] = self * own[i];
    }
  }

  private static void add(
      float weight, Update update, float[] own, float[] sum, int from, int to, float[] block) {
    if (update instanceof Update.Raw raw) {
      raw.payload().addFloats(weight, sum, from, to);
    } else {
      update.read(from, to - from, own, block);
      SignalKernels.best().addScaled(weight, block, sum, from, to - from);
    }
  }

  /** Takes up what rounding took from the other weights, so that their sum stays what it was. */
  private static float selfWeight(Heard heard) {
    double self = heard.selfWeight();
    if (self == 0) {
      return 0;
    }
    for (Weighted each : heard.updates()) {
      self += each.weight() - (float) each.weight();
    }
    return (float) self;
  }

  @Override
  public void change(float[] own, int size, Heard heard, float[] change, Scratch scratch) {
    List<Weighted> updates = heard.updates();
    boolean counts = heard.averaging() == Averaging.PARAMETER_WISE;
    int ownCounts = heard.selfWeight() > 0 ? 1 : 0;
    // How many values there are for each coordinate of the block.
    int[] senders = new int[counts ? BLOCK : 0];
    float[] block = new float[BLOCK];
    int[] next = new int[updates.size()];
    for (int i = 0; i < next.length; i++) {
      next[i] = updates.get(i).update() instanceof Update.Sparse sparse ? sparse.at() : 0;
    }
    for (int from = 0; from < size; from += BLOCK) {
      int to = Math.min(size, from + BLOCK);
      Arrays.fill(change, from, to, 0f);
      Arrays.fill(senders, ownCounts);
      for (int i = 0; i < next.length; i++) {
        float weight = (float) updates.get(i).weight();
        if (updates.get(i).update() instanceof Update.Sparse sparse) {
          next[i] =
              counts
                  ? count(sparse, next[i], from, to, own, change, senders)
                  : mix(sparse, next[i], to, own, change, weight);
        } else {
          updates.get(i).update().read(from, to - from, own, block);
          mixWhole(block, from, to, own, change, counts ? 1 : weight, senders);
        }
      }
      if (counts) {
        System.arraycopy(change, from, block, 0, to - from);
        divide(block, senders, to - from);
        System.arraycopy(block, 0, change, from, to - from);
      }
    }
  }

  private static void divide(float[] sums, int[] senders, int length) {
    for (int i = 0; i < length; i++) {
      sums[i] /= Math.max(1, senders[i]);
    }
  }

  /** Applies a message from its entry {@code entry} up to coordinate {@code to}. */
  private static int mix(
      Update.Sparse sparse, int entry, int to, float[] own, float[] change, float weight) {
    int[] indices = sparse.indices();
    float[] values = sparse.values();
    int end = sparse.end();
    int i = entry;
    for (; i < end && indices[i] < to; i++) {
      int at = indices[i];
      change[at] += weight * (values[i] - own[at]);
    }
    return i;
  }

  private static int count(
      Update.Sparse sparse,
      int entry,
      int from,
      int to,
      float[] own,
      float[] change,
      int[] senders) {
    int[] indices = sparse.indices();
    float[] values = sparse.values();
    int end = sparse.end();
    int i = entry;
    for (; i < end && indices[i] < to; i++) {
      int at = indices[i];
      change[at] += values[i] - own[at];
      senders[at - from]++;
    }
    return i;
  }

  private static void mixWhole(
      float[] block, int from, int to, float[] own, float[] change, float weight, int[] senders) {
    for (int i = from; i < to; i++) {
      change[i] += weight * (block[i - from] - own[i]);
    }
    for (int i = 0; i < senders.length; i++) {
      senders[i]++;
    }
  }
}
