package dev.grapevine.sharing;

import dev.grapevine.aggregation.Aggregator;
import dev.grapevine.aggregation.Heard;
import dev.grapevine.aggregation.Update;
import dev.grapevine.compression.FloatCodec;
import dev.grapevine.compression.values.RawFloats;
import dev.grapevine.message.Outgoing;
import dev.grapevine.message.Payload;
import dev.grapevine.message.PayloadWriter;
import dev.grapevine.scratch.Scratch;
import dev.grapevine.topology.Neighbourhood;
import java.nio.ByteBuffer;

/** The whole vector, value by value as the codec writes it. */
final class DenseEncoding implements Encoding {

  private final float[] vector;
  private final FloatCodec codec;
  private final boolean equalWeights;

  DenseEncoding(float[] vector, FloatCodec codec, boolean equalWeights) {
    this.vector = vector;
    this.codec = codec;
    this.equalWeights = equalWeights;
  }

  @Override
  public Outgoing encode(int round, Neighbourhood to, Scratch scratch) {
    if (codec instanceof RawFloats) {
      return Update.payload(vector);
    }
    PayloadWriter out = new PayloadWriter(vector.length * Float.BYTES);
    codec.encode(vector, vector.length, out, scratch);
    return out.finish();
  }

  @Override
  public Update decode(int sender, int round, Payload payload, Scratch scratch) {
    if (codec instanceof RawFloats) {
      return Update.ofBytes(payload, vector.length);
    }
    ByteBuffer in = payload.buffer();
    float[] values = scratch.floats("sharing.values", vector.length);
    codec.decode(in, values, vector.length, scratch);
    Incoming.requireEnd(in);
    return Update.ofVector(values, 0, vector.length).kept(scratch);
  }

  @Override
  public void combine(Heard heard, Aggregator rule, Scratch scratch) {
    Heard weighted = equalWeights ? heard.equallyWeighted() : heard;
    rule.combine(vector, vector.length, weighted, vector, scratch);
  }

  @Override
  public boolean addsUp() {
    return codec instanceof RawFloats && !equalWeights;
  }

  @Override
  public CommonValues values(int round, Scratch scratch) {
    return new CommonValues(vector, vector.length);
  }

  @Override
  public Update update(int round, float[] values, Scratch scratch) {
    return Update.ofVector(values, 0, vector.length);
  }

  @Override
  public boolean isWhole() {
    return true;
  }

  @Override
  public boolean isMemoryless() {
    return true;
  }

  @Override
  public boolean combinesInPlace() {
    return true;
  }

  @Override
  public boolean keepsMean() {
    return !equalWeights;
  }
}
