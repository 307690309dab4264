package dev.grapevine.sharing.partial;

import dev.grapevine.aggregation.Aggregator;
import dev.grapevine.aggregation.Averaging;
import dev.grapevine.aggregation.Heard;
import dev.grapevine.aggregation.Update;
import dev.grapevine.compression.FloatCodec;
import dev.grapevine.compression.values.RawFloats;
import dev.grapevine.message.Outgoing;
import dev.grapevine.message.Payload;
import dev.grapevine.message.PayloadWriter;
import dev.grapevine.scratch.Scratch;
import dev.grapevine.sharing.Budget;
import dev.grapevine.sharing.CommonValues;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.sharing.Incoming;
import dev.grapevine.sharing.ShareCounts;
import dev.grapevine.sharing.SharingContext;
import dev.grapevine.state.State;
import dev.grapevine.topology.Neighbourhood;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The loop that all schemes of this package share (thesis Alg. 6 and 10): pick coordinates, send
 * their values; what a neighbour left out is the node's own; combine, go back to parameters.
 *
 * <p>A message is the positions as the {@link Picker} writes them (metadata), then the values as
 * the codec writes them. Cost of a round: O(size) plus O(budget) for each message, besides the
 * transform. Memory of a node: one vector of start coordinates where the picker or the domain needs
 * one, and what the gauge keeps.
 *
 * <p>Asynchronous protocols mix before they send (thesis Alg. 13). Then a message accounts for
 * training and mixing in one step: changes count from the coordinates of the message before, which
 * only a message moves.
 */
public final class PartialEncoding implements Encoding {

  private final float[] vector;
  private final RandomGenerator random;
  private final Domain domain;
  private final Budget budget;
  private final Picker picker;
  private final FloatCodec codec;
  private final Averaging averaging;
  private final @Nullable ShareCounts counts;
  private final boolean reportsCounts;

  // The coordinates when the round began; in a transform's domain, between encoding and combining,
  // those that were sent from.
  private final float[] start;
  private boolean startIsPresent;
  private int lastSent = -1;
  private int lastMixed = -1;
  private int lastSize;

  // Where the values of the round stand that is being added up.
  private Payload common = Payload.empty();

  public PartialEncoding(SharingContext context, Pieces pieces) {
    vector = context.vector();
    random = context.random();
    domain = pieces.domain();
    budget = pieces.budget();
    picker = pieces.picker();
    codec = pieces.codec();
    averaging = pieces.averaging();
    counts = pieces.counts();
    reportsCounts = pieces.reportsCounts();
    State state = context.state();
    start =
        picker.needsStart() || !domain.isIdentity()
            ? state.floats("start", domain.copyOf(vector))
            : new float[0];
    state.value(
        "start-is-present", () -> startIsPresent ? 1 : 0, saved -> startIsPresent = saved == 1);
    state.value("last-sent", () -> lastSent, saved -> lastSent = (int) saved);
    state.value("last-mixed", () -> lastMixed, saved -> lastMixed = (int) saved);
  }

  /**
   * What a scheme is made of.
   *
   * @param counts how often units were sent; null when nobody wants to know
   * @param reportsCounts whether the user does
   */
  public record Pieces(
      Domain domain,
      Budget budget,
      Picker picker,
      FloatCodec codec,
      Averaging averaging,
      @Nullable ShareCounts counts,
      boolean reportsCounts) {}

  @Override
  public Outgoing encode(int round, Neighbourhood to, Scratch scratch) {
    PayloadWriter out = new PayloadWriter(lastSize + lastSize / 16 + 64);
    CommonValues picked = pick(round, out, scratch);
    codec.encode(picked.values(), picked.count(), out, scratch);
    Payload payload = out.finish();
    lastSize = payload.size();
    return payload;
  }

  /** Picks coordinates, writes their positions and lists their values. */
  private CommonValues pick(int round, PayloadWriter out, Scratch scratch) {
    int size = domain.size();
    float[] now = domain.of(vector, scratch);
    int[] indices = scratch.ints("sharing.indices", size);
    double share = budget.share(round, random);

    out.beginMetadata();
    boolean mixed = lastMixed == round;
    Picker.Moment moment =
        new Picker.Moment(round, share, start, now, size, domain.valuesPerUnit(), mixed);
    int units = picker.pick(moment, indices, out, scratch);
    out.endMetadata();
    if (counts != null) {
      counts.add(indices, units);
    }
    int count = domain.expand(indices, units);
    picker.sent(moment, indices, count);

    float[] values = scratch.floats("sharing.values", size);
    for (int i = 0; i < count; i++) {
      values[i] = now[indices[i]];
    }
    if (!domain.isIdentity() || (mixed && start.length > 0)) {
      System.arraycopy(now, 0, start, 0, size);
    }
    startIsPresent = !domain.isIdentity();
    lastSent = round;
    return new CommonValues(values, count);
  }

  @Override
  public CommonValues values(int round, Scratch scratch) {
    PayloadWriter positions = new PayloadWriter(64);
    CommonValues picked = pick(round, positions, scratch);
    common = positions.finish();
    return picked;
  }

  @Override
  public Update update(int round, float[] values, Scratch scratch) {
    int size = domain.size();
    int[] indices = scratch.ints("sharing.indices", size);
    int units = picker.read(common.buffer(), size / domain.valuesPerUnit(), indices, scratch);
    int count = domain.expand(indices, units);
    return count == size
        ? Update.ofVector(values, 0, size)
        : new Update.Sparse(indices, values, 0, count);
  }

  @Override
  public Update decode(int sender, int round, Payload payload, Scratch scratch) {
    int size = domain.size();
    int[] indices = scratch.ints("sharing.indices", size);
    float[] values = scratch.floats("sharing.values", size);
    ByteBuffer in = payload.buffer();
    int units = picker.read(in, size / domain.valuesPerUnit(), indices, scratch);
    int count = domain.expand(indices, units);
    codec.decode(in, values, count, scratch);
    Incoming.requireEnd(in);
    Update update =
        count == size
            ? Update.ofVector(values, 0, size)
            : new Update.Sparse(indices, values, 0, count);
    return update.kept(scratch);
  }

  @Override
  public void combine(Heard heard, Aggregator rule, Scratch scratch) {
    int size = domain.size();
    boolean sent = lastSent == heard.round();
    float[] own = startIsPresent && sent ? start : domain.of(vector, scratch);
    float[] delta = scratch.floats("sharing.change", size);
    rule.change(own, size, heard.averaged(averaging), delta, scratch);
    picker.mixed(delta, size);
    if (sent && start.length > 0 && !domain.isIdentity()) {
      for (int i = 0; i < size; i++) {
        start[i] = own[i] + delta[i];
      }
    }
    domain.add(delta, vector, scratch);
    if (sent && start.length > 0 && domain.isIdentity()) {
      System.arraycopy(vector, 0, start, 0, size);
    }
    startIsPresent = false;
    lastMixed = heard.round();
  }

  @Override
  public boolean hasCommonCoordinates() {
    return picker.isCommon() && budget.isCommon();
  }

  @Override
  public boolean addsUp() {
    return codec instanceof RawFloats && averaging == Averaging.MIXING_WEIGHTS;
  }

  @Override
  public boolean isMemoryless() {
    return picker.isMemoryless();
  }

  @Override
  public boolean keepsMean() {
    return hasCommonCoordinates() && averaging == Averaging.MIXING_WEIGHTS;
  }

  @Override
  public Optional<ShareCounts> shareCounts() {
    return reportsCounts ? Optional.ofNullable(counts) : Optional.empty();
  }
}
