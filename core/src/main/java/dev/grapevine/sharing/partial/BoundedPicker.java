package dev.grapevine.sharing.partial;

import dev.grapevine.compression.IndexCodec;
import dev.grapevine.message.PayloadWriter;
import dev.grapevine.scratch.Scratch;
import dev.grapevine.sharing.Budget;
import dev.grapevine.sharing.RandomMask;
import dev.grapevine.sharing.Selection;
import dev.grapevine.sharing.ShareCounts;
import java.nio.ByteBuffer;
import java.util.random.RandomGenerator;

/**
 * Picks most coordinates by score and some by lot among those sent too rarely (thesis Alg. 9).
 *
 * <p>Of a budget k, ⌈k(1−α_low)⌉ go to the highest scores; the rest to coordinates sent fewer than
 * t·α·α_low times up to round t. Where there are not so many, the next highest scores fill the
 * budget, so that it is always used as the thesis's text has it. Both ways of being sent count.
 */
final class BoundedPicker implements Picker {

  private final Gauge gauge;
  private final IndexCodec codec;
  private final double alphaLow;
  private final ShareCounts counts;
  private final RandomGenerator random;
  private final Selection selection = new Selection();

  BoundedPicker(
      Gauge gauge, IndexCodec codec, double alphaLow, ShareCounts counts, RandomGenerator random) {
    this.gauge = gauge;
    this.codec = codec;
    this.alphaLow = alphaLow;
    this.counts = counts;
    this.random = random;
  }

  @Override
  public boolean needsStart() {
    return gauge.needsStart();
  }

  @Override
  public boolean isMemoryless() {
    return false;
  }

  @Override
  public int pick(Moment moment, int[] indices, PayloadWriter out, Scratch scratch) {
    int size = moment.units();
    float[] scores = ScorePicker.score(gauge, moment, scratch);
    int count = Budget.count(moment.share(), size);
    int top = (int) Math.ceil(count * (1 - alphaLow));
    long[] picked = RandomMask.clear(size, scratch);

    // Enough candidates for the case that nothing is rare.
    selection.begin(scores, size, count, scratch);
    selection.take(top, indices, scratch);
    mark(indices, top, picked);
    double bound = moment.round() * moment.share() * alphaLow;
    int rare = takeRare(bound, count - top, picked, scratch.ints("bounded.rare", size));
    int missing = count - top - rare;
    if (missing > 0) {
      selection.exclude(picked);
      selection.take(missing, indices, scratch);
      mark(indices, missing, picked);
    }
    selection.end();

    RandomMask.listBits(picked, size, false, indices);
    codec.encode(indices, count, size, out, scratch);
    return count;
  }

  @Override
  public void sent(Moment moment, int[] coordinates, int count) {
    gauge.sent(moment.nextStart(), moment.now(), coordinates, count);
  }

  private static void mark(int[] indices, int count, long[] picked) {
    for (int i = 0; i < count; i++) {
      picked[indices[i] >>> 6] |= 1L << indices[i];
    }
  }

  /** Draws at most {@code wanted} of the coordinates below the bound that are not picked yet. */
  private int takeRare(double bound, int wanted, long[] picked, int[] candidates) {
    if (wanted == 0 || bound == 0) {
      return 0;
    }
    // A whole count below the bound is at most ⌈bound⌉ − 1.
    int limit = (int) Math.ceil(bound) - 1;
    int found = counts.listUpTo(limit, picked, candidates);
    int taken = Math.min(found, wanted);
    for (int i = 0; i < taken; i++) {
      int j = i + random.nextInt(found - i);
      int chosen = candidates[j];
      candidates[j] = candidates[i];
      picked[chosen >>> 6] |= 1L << chosen;
    }
    return taken;
  }

  @Override
  public int read(ByteBuffer in, int size, int[] indices, Scratch scratch) {
    return codec.decode(in, size, indices, scratch);
  }

  @Override
  public void mixed(float[] delta, int size) {
    gauge.mixed(delta, size);
  }
}
