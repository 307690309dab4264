package dev.grapevine.sharing.partial;

import dev.grapevine.compression.IndexCodec;
import dev.grapevine.message.PayloadWriter;
import dev.grapevine.scratch.Scratch;
import dev.grapevine.sharing.Budget;
import dev.grapevine.sharing.Selection;
import java.nio.ByteBuffer;

/**
 * Picks the units with the highest scores; of units of several values the score is the modulus.
 *
 * <p>Where positions and values would take more bytes than all values alone, all are sent and the
 * number −1 takes the place of positions, if the scheme {@code caps} so.
 */
final class ScorePicker implements Picker {

  private static final int ALL = -1;

  private final Gauge gauge;
  private final IndexCodec codec;
  private final boolean caps;
  private final Selection selection = new Selection();

  ScorePicker(Gauge gauge, IndexCodec codec, boolean caps) {
    this.gauge = gauge;
    this.codec = codec;
    this.caps = caps;
  }

  @Override
  public boolean needsStart() {
    return gauge.needsStart();
  }

  @Override
  public boolean isMemoryless() {
    return gauge.isMemoryless();
  }

  @Override
  public int pick(Moment moment, int[] units, PayloadWriter out, Scratch scratch) {
    int all = moment.units();
    float[] scores = score(gauge, moment, scratch);
    int count = Budget.count(moment.share(), all);
    selection.select(scores, all, count, units, scratch);
    int before = out.size();
    codec.encode(units, count, all, out, scratch);
    long values = (long) Float.BYTES * moment.valuesPerUnit();
    if (caps && out.size() - before + values * count > Integer.BYTES + values * all) {
      out.truncate(before);
      out.writeInt(ALL);
      return listAll(all, units);
    }
    return count;
  }

  /** The score of each unit. */
  static float[] score(Gauge gauge, Picker.Moment moment, Scratch scratch) {
    float[] scores = scratch.floats("sharing.values", moment.size());
    gauge.score(moment.start(), moment.now(), scores, moment.size());
    int per = moment.valuesPerUnit();
    if (per > 1) {
      for (int unit = 0; unit < moment.units(); unit++) {
        float squares = 0;
        for (int i = 0; i < per; i++) {
          float score = scores[unit * per + i];
          squares += score * score;
        }
        scores[unit] = (float) Math.sqrt(squares);
      }
    }
    return scores;
  }

  @Override
  public void sent(Moment moment, int[] coordinates, int count) {
    gauge.sent(moment.nextStart(), moment.now(), coordinates, count);
  }

  @Override
  public int read(ByteBuffer in, int all, int[] units, Scratch scratch) {
    if (caps && in.remaining() >= Integer.BYTES && in.getInt(in.position()) == ALL) {
      in.position(in.position() + Integer.BYTES);
      return listAll(all, units);
    }
    return codec.decode(in, all, units, scratch);
  }

  private static int listAll(int all, int[] units) {
    for (int i = 0; i < all; i++) {
      units[i] = i;
    }
    return all;
  }

  @Override
  public void mixed(float[] delta, int size) {
    gauge.mixed(delta, size);
  }
}
