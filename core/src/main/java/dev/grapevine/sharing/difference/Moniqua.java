package dev.grapevine.sharing.difference;

import dev.grapevine.aggregation.Aggregator;
import dev.grapevine.aggregation.Heard;
import dev.grapevine.aggregation.Update;
import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.Outgoing;
import dev.grapevine.message.Payload;
import dev.grapevine.message.PayloadWriter;
import dev.grapevine.random.SplitMix;
import dev.grapevine.scratch.Scratch;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.settings.SettingException;
import dev.grapevine.sharing.Continuity;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.sharing.SharingContext;
import dev.grapevine.topology.Neighbourhood;
import java.lang.System.Logger.Level;

/**
 * Moniqua: modulo quantization. Neighbours' models are close, ‖x_i − x_j‖_∞ < θ, so that the last
 * digits of a value are enough: with the quantizer Q_δ on the circle [−½, ½) and B = 2θ/(1 − 2δ),
 *
 * <pre>
 *   q_i = Q_δ(x_i/B mod 1),   x̂_j = x_i + ((B q_j − x_i) mod B),   x̂_i = x_i + B q_i − (x_i mod B)
 *   x_i ← x_i + γ Σ_j w_ij (x̂_j − x̂_i).</pre>
 *
 * <p>A value is off by at most δB. Rounding is by lot, and the lot is the same on all nodes, so
 * that the errors of equal values cancel: δ = 1/(2^bits − 1). No replicas, no memory, any
 * neighbours; the mean is kept as long as models are within θ. Beyond it values wrap around, which
 * no receiver can see for sure: the node warns once when many of its coordinates come close.
 */
@Kind(
    name = "moniqua",
    summary = "a few bits a value, read as what lies nearest to the receiver's own",
    paper = "Lu, De Sa, Moniqua: Modulo quantized communication in decentralized SGD, ICML 2020")
public final class Moniqua implements Encoding {

  private static final System.Logger LOG = System.getLogger(Moniqua.class.getName());

  /** From here on, as a share of the largest distance that can be told, a value is close to it. */
  private static final float CLOSE = 0.9f;

  /** As many of a thousand coordinates are bad luck. */
  private static final int TOLERATED = 1;

  private final int bits;
  private final int levels;
  private final float circle;
  private final float gamma;
  private final float[] parameters;
  private final long seed;
  private final int node;
  private boolean warned;

  /** What an experiment file can say about it. */
  public record Settings(
      @Doc("bits a value, from 2 to 16") @Default("8") int bits,
      @Doc("θ, what neighbours' values may differ by, above 0") @Default("1.0") double theta,
      @Doc("the step size of mixing, in (0, 1]; smaller for few bits") @Default("1.0")
          double gamma) {
    public Settings {
      SettingException.require(
          bits >= 2 && bits <= 16, "bits", "bits must be from 2 to 16: bits=" + bits);
      SettingException.require(
          theta > 0 && Double.isFinite(theta), "theta", "theta must be above 0: theta=" + theta);
      SettingException.require(
          gamma > 0 && gamma <= 1, "gamma", "gamma must be in (0, 1]: gamma=" + gamma);
    }
  }

  public Moniqua(Settings settings, SharingContext context) {
    bits = settings.bits();
    levels = (1 << bits) - 1;
    circle = (float) (2 * settings.theta() / (1 - 2.0 / levels));
    gamma = (float) settings.gamma();
    parameters = context.vector();
    seed = context.seed();
    node = context.node();
  }

  @Override
  public Continuity continuity() {
    return Continuity.ROUNDS;
  }

  @Override
  public boolean isMemoryless() {
    return true;
  }

  @Override
  public boolean keepsMean() {
    return true;
  }

  /** What is left of a value when whole turns of the circle are taken away: from −B/2 to B/2. */
  private float wrapped(float value) {
    return value - circle * (float) Math.floor(value / circle + 0.5f);
  }

  /** The levels of the node's own values, rounded by the round's lot. */
  private int[] codes(int round, Scratch scratch) {
    int[] codes = scratch.ints("sharing.indices", parameters.length);
    long state = SplitMix.mix(seed, round);
    for (int i = 0; i < parameters.length; i++) {
      state += SplitMix.GOLDEN_GAMMA;
      float lot = (SplitMix.finish(state) >>> 40) * 0x1p-24f;
      float share = wrapped(parameters[i]) / circle + 0.5f;
      codes[i] = Math.clamp((int) (share * levels + lot), 0, levels);
    }
    return codes;
  }

  private float point(int code) {
    return circle * ((float) code / levels - 0.5f);
  }

  @Override
  public Outgoing encode(int round, Neighbourhood to, Scratch scratch) {
    PayloadWriter out = new PayloadWriter(PackedCodes.size(parameters.length, bits) + 8);
    PackedCodes.write(codes(round, scratch), parameters.length, bits, out);
    return out.finish();
  }

  @Override
  public Update decode(int sender, int round, Payload payload, Scratch scratch) {
    int size = PackedCodes.size(parameters.length, bits);
    if (payload.size() != size) {
      throw new MalformedPayloadException(
          "codes of the wrong size: bytes=%d, expected=%d".formatted(payload.size(), size));
    }
    byte[] packed = scratch.bytes("moniqua.packed", size + Long.BYTES);
    payload.buffer().get(packed, 0, size);
    Scratch.Room room = scratch.room(parameters.length, parameters.length);
    int close = 0;
    for (int i = 0; i < parameters.length; i++) {
      float distance =
          wrapped(
              point(PackedCodes.read(packed, (long) i * bits, (1 << bits) - 1)) - parameters[i]);
      room.values()[room.at() + i] = parameters[i] + distance;
      close += Math.abs(distance) > CLOSE * 0.5f * circle ? 1 : 0;
    }
    warn(sender, round, close);
    return Update.ofVector(room.values(), room.at(), parameters.length);
  }

  private void warn(int sender, int round, int close) {
    if (!warned && close * 1000L > (long) TOLERATED * parameters.length) {
      warned = true;
      LOG.log(
          Level.WARNING,
          "node {0}: {1} of {2} values of node {3} lie close to the distance of moniqua''s theta in"
              + " round {4}; beyond it they are taken for others: set a larger sharing.theta",
          node,
          close,
          parameters.length,
          sender,
          round);
    }
  }

  @Override
  public void combine(Heard heard, Aggregator rule, Scratch scratch) {
    int[] codes = codes(heard.round(), scratch);
    float[] seen = scratch.floats("sharing.values", parameters.length);
    for (int i = 0; i < parameters.length; i++) {
      seen[i] = parameters[i] + point(codes[i]) - wrapped(parameters[i]);
    }
    float[] pull = scratch.floats("sharing.coordinates", parameters.length);
    rule.change(seen, parameters.length, heard, pull, scratch);
    for (int i = 0; i < parameters.length; i++) {
      parameters[i] += gamma * pull[i];
    }
  }
}
