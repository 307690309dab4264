import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.Outgoing;
import dev.grapevine.message.PayloadWriter;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.SettingException;
import dev.grapevine.sharing.Contribution;
import dev.grapevine.sharing.Received;
import dev.grapevine.sharing.Sharing;
import dev.grapevine.sharing.SharingContext;
import dev.grapevine.topology.Neighbourhood;
import java.nio.ByteBuffer;

/**
 * An own sharing scheme in one file: every round sends only every k-th parameter, beginning one
 * further each round, so that k rounds send the whole model. What arrives is mixed with the
 * topology's weights, x_i ← w_ii x_i + Σ_j w_ij x_j, for the parameters that were sent.
 */
public final class MySharing implements Sharing {

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
    this.parameters = context.parameters();
  }

  @Override
  public Outgoing message(int round, Neighbourhood neighbours) {
    PayloadWriter out = new PayloadWriter(Float.BYTES * sent(round));
    for (int i = round % every; i < parameters.length; i += every) {
      out.writeFloat(parameters[i]);
    }
    return out.finish();
  }

  @Override
  public void merge(Received received) {
    int sent = sent(received.round());
    for (Contribution each : received.contributions()) {
      if (each.payload().size() != Float.BYTES * sent) {
        throw new MalformedPayloadException(
            "wrong number of bytes: bytes=%d, expected=%d"
                .formatted(each.payload().size(), Float.BYTES * sent));
      }
    }
    int first = received.round() % every;
    for (int i = first; i < parameters.length; i += every) {
      parameters[i] *= (float) received.selfWeight();
    }
    for (Contribution each : received.contributions()) {
      ByteBuffer in = each.payload().buffer();
      for (int i = first; i < parameters.length; i += every) {
        parameters[i] += (float) each.weight() * in.getFloat();
      }
    }
  }

  /** How many parameters a round sends. */
  private int sent(int round) {
    return Math.ceilDiv(Math.max(0, parameters.length - round % every), every);
  }
}
