package dev.grapevine.sharing.difference;

import dev.grapevine.aggregation.Aggregator;
import dev.grapevine.aggregation.Heard;
import dev.grapevine.aggregation.Update;
import dev.grapevine.message.Outgoing;
import dev.grapevine.message.Payload;
import dev.grapevine.message.PayloadWriter;
import dev.grapevine.scratch.Scratch;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.topology.Neighbourhood;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Changes that wait to be sent: a message is the compressed vector, which is taken off the vector,
 * so that what compression lost waits for the next; what is heard is added to it. For protocols
 * that send changes rather than models. A message may hold several changes, one behind the other.
 */
public final class ErrorFeedback implements Encoding {

  private final float[] vector;
  private final Compressor compressor;

  public ErrorFeedback(float[] vector, Compressor compressor) {
    this.vector = vector;
    this.compressor = compressor;
  }

  @Override
  public Outgoing encode(int round, Neighbourhood to, Scratch scratch) {
    PayloadWriter out = new PayloadWriter(1024);
    compressor.compress(vector, vector.length, out, scratch);
    Payload payload = out.finish();
    compressor.decode(payload.buffer(), vector.length, scratch).addTo(vector, -1);
    return payload;
  }

  @Override
  public Update decode(int sender, int round, Payload payload, Scratch scratch) {
    ByteBuffer in = payload.buffer();
    List<Update> changes = new ArrayList<>(1);
    while (in.hasRemaining()) {
      changes.add(compressor.decode(in, vector.length, scratch).kept(scratch));
    }
    return changes.size() == 1 ? changes.getFirst() : new Several(changes);
  }

  /** Changes one after the other. */
  private record Several(List<Update> changes) implements Update {

    @Override
    public boolean isWhole() {
      return false;
    }

    @Override
    public boolean isFinite() {
      return changes.stream().allMatch(Update::isFinite);
    }

    @Override
    public void read(int from, int length, float[] own, float[] block) {
      throw new UnsupportedOperationException("only one change can be looked at");
    }

    @Override
    public void addTo(float[] sum, float weight) {
      changes.forEach(change -> change.addTo(sum, weight));
    }
  }

  @Override
  public void combine(Heard heard, Aggregator rule, Scratch scratch) {
    if (rule.isLinear() || heard.updates().size() == 1) {
      heard.addTo(vector);
      return;
    }
    float[] nothing = scratch.floats("sharing.change", vector.length);
    Arrays.fill(nothing, 0, vector.length, 0f);
    rule.combine(nothing, vector.length, heard, nothing, scratch);
    for (int i = 0; i < vector.length; i++) {
      vector[i] += nothing[i];
    }
  }
}
