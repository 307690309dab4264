package dev.grapevine.sharing.partial;

import dev.grapevine.compression.IndexCodec;
import dev.grapevine.message.PayloadWriter;
import dev.grapevine.sharing.Budget;
import dev.grapevine.sharing.Workspace;
import java.nio.ByteBuffer;

/** Picks the coordinates with the highest scores. */
final class ScorePicker implements Picker {

  private final Gauge gauge;
  private final IndexCodec codec;
  private final Selection selection = new Selection();

  ScorePicker(Gauge gauge, IndexCodec codec) {
    this.gauge = gauge;
    this.codec = codec;
  }

  @Override
  public boolean needsStart() {
    return gauge.needsStart();
  }

  @Override
  public int pick(Moment moment, int[] indices, PayloadWriter out, Workspace workspace) {
    int size = moment.size();
    float[] scores = workspace.floats(1, size);
    gauge.score(moment.start(), moment.now(), scores, size);
    int count = Budget.count(moment.share(), size);
    selection.select(scores, size, count, indices, workspace);
    gauge.sent(moment.nextStart(), moment.now(), indices, count);
    codec.encode(indices, count, size, out);
    return count;
  }

  @Override
  public int read(ByteBuffer in, int size, int[] indices, Workspace workspace) {
    return codec.decode(in, size, indices);
  }

  @Override
  public void mixed(float[] delta, int size) {
    gauge.mixed(delta, size);
  }
}
