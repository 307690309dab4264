package dev.grapevine.sharing.partial;

import dev.grapevine.compression.FloatCodec;
import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.Outgoing;
import dev.grapevine.message.Payload;
import dev.grapevine.message.PayloadWriter;
import dev.grapevine.sharing.Averaging;
import dev.grapevine.sharing.Budget;
import dev.grapevine.sharing.Contribution;
import dev.grapevine.sharing.Incoming;
import dev.grapevine.sharing.Received;
import dev.grapevine.sharing.ShareCounts;
import dev.grapevine.sharing.Sharing;
import dev.grapevine.sharing.SharingContext;
import dev.grapevine.sharing.Workspace;
import dev.grapevine.topology.Neighbourhood;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The loop that all schemes of this package share (thesis Alg. 6 and 10): pick coordinates, send
 * their values, fill the gaps of what arrives with the node's own values, average, go back to
 * parameters.
 *
 * <p>A message is the positions as the {@link Picker} writes them (metadata), then the values as
 * the codec writes them. Merging gathers the messages in one working vector; parameters change only
 * after the last byte has been found sound. Cost of a round: O(size) plus O(budget) for each
 * message, besides the transform. Memory of a node: one vector of start coordinates where the
 * picker or the domain needs one, and what the gauge keeps.
 *
 * <p>Asynchronous protocols mix before they send (thesis Alg. 13). Then a message accounts for
 * training and mixing in one step: changes count from the coordinates of the message before, which
 * only a message moves.
 */
final class PartialSharing implements Sharing {

  private final float[] parameters;
  private final RandomGenerator random;
  private final Domain domain;
  private final Budget budget;
  private final Picker picker;
  private final FloatCodec codec;
  private final Averaging averaging;
  private final @Nullable ShareCounts counts;

  // The coordinates when the round began; in a transform's domain, between message and merge, those
  // that were sent from.
  private final float[] start;
  private boolean startIsPresent;
  private int lastSent = -1;
  private int lastMixed = -1;
  private int lastSize;

  PartialSharing(SharingContext context, Pieces pieces) {
    parameters = context.parameters();
    random = context.random();
    domain = pieces.domain();
    budget = pieces.budget();
    picker = pieces.picker();
    codec = pieces.codec();
    averaging = pieces.averaging();
    counts = pieces.counts();
    start =
        picker.needsStart() || domain instanceof Domain.Coefficients
            ? coordinates(domain, parameters)
            : new float[0];
  }

  /** What a scheme is made of; {@code counts} is null when shares are not counted. */
  record Pieces(
      Domain domain,
      Budget budget,
      Picker picker,
      FloatCodec codec,
      Averaging averaging,
      @Nullable ShareCounts counts) {}

  /** A fresh copy of a model's coordinates. */
  static float[] coordinates(Domain domain, float[] parameters) {
    try (Workspace workspace = Workspace.borrow()) {
      return Arrays.copyOf(domain.of(parameters, workspace), domain.size());
    }
  }

  @Override
  public Outgoing message(int round, Neighbourhood neighbours) {
    try (Workspace workspace = Workspace.borrow()) {
      int size = domain.size();
      float[] now = domain.of(parameters, workspace);
      int[] indices = workspace.ints(0, size);
      PayloadWriter out = new PayloadWriter(lastSize + lastSize / 16 + 64);
      double share = budget.share(round, random);

      out.beginMetadata();
      boolean mixed = lastMixed == round;
      Picker.Moment moment = new Picker.Moment(round, share, start, now, size, mixed);
      int count = picker.pick(moment, indices, out, workspace);
      out.endMetadata();

      float[] values = workspace.floats(1, size);
      for (int i = 0; i < count; i++) {
        values[i] = now[indices[i]];
      }
      codec.encode(values, count, out);

      if (domain instanceof Domain.Coefficients || (mixed && start.length > 0)) {
        System.arraycopy(now, 0, start, 0, size);
      }
      startIsPresent = domain instanceof Domain.Coefficients;
      lastSent = round;
      if (counts != null && !(picker instanceof BoundedPicker)) {
        counts.add(indices, count);
      }
      Payload payload = out.finish();
      lastSize = payload.size();
      return payload;
    }
  }

  @Override
  public void merge(Received received) {
    try (Workspace workspace = Workspace.borrow()) {
      int size = domain.size();
      boolean sent = lastSent == received.round();
      float[] own = startIsPresent && sent ? start : domain.of(parameters, workspace);
      float[] delta = change(received.contributions(), own, workspace);
      picker.mixed(delta, size);
      if (sent && start.length > 0 && domain instanceof Domain.Coefficients) {
        for (int i = 0; i < size; i++) {
          start[i] = own[i] + delta[i];
        }
      }
      domain.add(delta, parameters, workspace);
      if (sent && start.length > 0 && domain instanceof Domain.Parameters) {
        System.arraycopy(parameters, 0, start, 0, size);
      }
      startIsPresent = false;
      lastMixed = received.round();
    }
  }

  /** By how much what arrived changes the node's coordinates. */
  private float[] change(List<Contribution> contributions, float[] own, Workspace workspace) {
    int size = domain.size();
    int[] indices = workspace.ints(0, size);
    float[] values = workspace.floats(1, size);
    SparseSum sum = new SparseSum(averaging, own, size, contributions.size(), workspace);
    for (Contribution contribution : contributions) {
      int count = read(contribution, indices, values, workspace);
      sum.add(indices, values, count, (float) contribution.weight());
    }
    return sum.finish();
  }

  private int read(Contribution contribution, int[] indices, float[] values, Workspace workspace) {
    try {
      ByteBuffer in = contribution.payload().buffer();
      int count = picker.read(in, domain.size(), indices, workspace);
      codec.decode(in, values, count);
      Incoming.requireEnd(in);
      return count;
    } catch (MalformedPayloadException e) {
      throw e.from(contribution.sender());
    }
  }

  @Override
  public Optional<ShareCounts> shareCounts() {
    return Optional.ofNullable(counts);
  }
}
