import dev.grapevine.aggregation.Aggregator;
import dev.grapevine.aggregation.Heard;
import dev.grapevine.aggregation.Update;
import dev.grapevine.compression.values.RawFloats;
import dev.grapevine.message.Outgoing;
import dev.grapevine.message.Payload;
import dev.grapevine.message.PayloadWriter;
import dev.grapevine.scratch.Scratch;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.SettingException;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.sharing.Incoming;
import dev.grapevine.sharing.SharingContext;
import dev.grapevine.topology.Neighbourhood;
import java.nio.ByteBuffer;
import java.util.stream.IntStream;

/**
 * An own sharing scheme in one file: every round sends only every k-th parameter, beginning one
 * further each round, so that k rounds send the whole model. How what arrives is combined is the
 * matter of the table [aggregation].
 */
public final class MySharing implements Encoding {

  /** The keys of the table [sharing] next to {@code kind}. */
  public record Settings(@Doc("send every so-manieth parameter, at least 1") @Default("4") int every) {
    public Settings {
      SettingException.require(every >= 1, "every", "every must be at least 1: every=" + every);
    }
  }

  private final int every;
  private final float[] parameters;

  public MySharing(Settings settings, SharingContext context) {
    this.every = settings.every();
    this.parameters = context.vector();
  }

  @Override
  public Outgoing encode(int round, Neighbourhood to, Scratch scratch) {
    PayloadWriter out = new PayloadWriter(parameters.length);
    for (int index : sent(round)) {
      out.writeFloat(parameters[index]);
    }
    return out.finish();
  }

  @Override
  public Update decode(int sender, int round, Payload payload, Scratch scratch) {
    int[] indices = sent(round);
    float[] values = new float[indices.length];
    ByteBuffer in = payload.buffer();
    RawFloats.read(in, values, values.length);
    Incoming.requireEnd(in);
    return new Update.Sparse(indices, values, 0, values.length);
  }

  @Override
  public void combine(Heard heard, Aggregator rule, Scratch scratch) {
    rule.combine(parameters, parameters.length, heard, parameters, scratch);
  }

  /** The parameters that a round sends. */
  private int[] sent(int round) {
    return IntStream.iterate(round % every, i -> i < parameters.length, i -> i + every).toArray();
  }
}
