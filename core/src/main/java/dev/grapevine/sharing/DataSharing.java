package dev.grapevine.sharing;

import dev.grapevine.UserException;
import dev.grapevine.aggregation.Aggregator;
import dev.grapevine.aggregation.Finite;
import dev.grapevine.aggregation.Heard;
import dev.grapevine.aggregation.Update;
import dev.grapevine.compression.FloatCodec;
import dev.grapevine.learning.SampleExchange;
import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.Outgoing;
import dev.grapevine.message.Payload;
import dev.grapevine.message.PayloadWriter;
import dev.grapevine.scratch.Scratch;
import dev.grapevine.settings.Choice;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.settings.SettingException;
import dev.grapevine.topology.Neighbourhood;
import java.nio.ByteBuffer;
import java.util.random.RandomGenerator;

/**
 * Raw data sharing: a message holds training samples, which join the receiver's own; models are not
 * mixed. Each round sends samples drawn by lot from all that the node holds, so that they spread
 * beyond the neighbours.
 *
 * <p>Inputs and targets count as values, the number of samples as metadata. A node takes in at most
 * {@code keep} samples in its lifetime; what comes later is dropped. Keeps no vector, but the
 * samples stay.
 */
@Kind(
    name = "data",
    summary = "training samples travel and join the receiver's data",
    paper =
        "Dhasade, Dresevic, Kermarrec, Pires, TEE-based decentralized recommender systems: the raw"
            + " data sharing redemption, IPDPS 2022")
public final class DataSharing implements Encoding {

  private final Settings settings;
  private final SampleExchange samples;
  private final RandomGenerator random;
  private final FloatCodec codec;
  private int taken;

  /** What an experiment file can say about it. */
  public record Settings(
      @Doc("samples sent in a round, at least 1") @Default("8") int samples,
      @Doc("samples a node takes in altogether, at least 0") @Default("100000") int keep,
      @Doc("how inputs travel; targets always travel exactly") @Default("raw")
          Choice<Void, FloatCodec> values) {
    public Settings {
      SettingException.require(
          samples >= 1, "samples", "samples must be at least 1: samples=" + samples);
      SettingException.require(keep >= 0, "keep", "keep must be at least 0: keep=" + keep);
    }
  }

  public DataSharing(Settings settings, SharingContext context) {
    if (context.samples() == null) {
      throw new UserException(
          "data sharing needs a learner that can take in samples, and this one cannot: node="
              + context.node());
    }
    this.settings = settings;
    samples = context.samples();
    random = context.random();
    context.state().value("taken", () -> taken, saved -> taken = (int) saved);
    codec = settings.values().create();
  }

  @Override
  public Outgoing encode(int round, Neighbourhood to, Scratch scratch) {
    int inputSize = samples.inputSize();
    int targetSize = samples.targetSize();
    int count = Math.min(settings.samples(), samples.samples());
    float[] inputs = new float[Math.multiplyExact(count, inputSize)];
    float[] targets = new float[Math.multiplyExact(count, targetSize)];
    for (int i = 0; i < count; i++) {
      int drawn = random.nextInt(samples.samples());
      samples.read(drawn, inputs, i * inputSize, targets, i * targetSize);
    }
    PayloadWriter out = new PayloadWriter(8 + Float.BYTES * (inputs.length + targets.length));
    out.beginMetadata();
    out.writeInt(count);
    out.endMetadata();
    for (float target : targets) {
      out.writeFloat(target);
    }
    codec.encode(inputs, inputs.length, out, scratch);
    return out.finish();
  }

  private record Samples(int count, float[] inputs, float[] targets) implements Update {

    @Override
    public boolean isWhole() {
      return false;
    }

    @Override
    public boolean isFinite() {
      return Finite.all(inputs, 0, inputs.length) && Finite.all(targets, 0, targets.length);
    }

    @Override
    public void read(int from, int length, float[] own, float[] block) {
      System.arraycopy(own, from, block, 0, length);
    }

    @Override
    public void addTo(float[] sum, float weight) {}
  }

  @Override
  public Update decode(int sender, int round, Payload payload, Scratch scratch) {
    return read(payload.buffer(), scratch);
  }

  @Override
  public void combine(Heard heard, Aggregator rule, Scratch scratch) {
    for (Heard.Weighted each : heard.updates()) {
      Samples batch = (Samples) each.update();
      for (int i = 0; i < batch.count && taken < settings.keep(); i++) {
        samples.add(batch.inputs, i * samples.inputSize(), batch.targets, i * samples.targetSize());
        taken++;
      }
    }
  }

  @Override
  public boolean carriesVectors() {
    return false;
  }

  private Samples read(ByteBuffer in, Scratch scratch) {
    Incoming.require(in, Integer.BYTES);
    int count = in.getInt();
    // Nobody sends more than the setting says; the check comes before memory is taken.
    if (count < 0 || count > settings.samples()) {
      throw new MalformedPayloadException(
          "message holds too many samples: count=%d, samples=%d"
              .formatted(count, settings.samples()));
    }
    Incoming.require(in, (long) Float.BYTES * count * samples.targetSize());
    float[] targets = new float[count * samples.targetSize()];
    for (int i = 0; i < targets.length; i++) {
      targets[i] = in.getFloat();
    }
    float[] inputs = new float[Math.multiplyExact(count, samples.inputSize())];
    codec.decode(in, inputs, inputs.length, scratch);
    Incoming.requireEnd(in);
    return new Samples(count, inputs, targets);
  }
}
