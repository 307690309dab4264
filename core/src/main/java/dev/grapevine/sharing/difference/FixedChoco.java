package dev.grapevine.sharing.difference;

import dev.grapevine.aggregation.Aggregator;
import dev.grapevine.aggregation.Heard;
import dev.grapevine.aggregation.Update;
import dev.grapevine.message.Outgoing;
import dev.grapevine.message.Payload;
import dev.grapevine.scratch.Scratch;
import dev.grapevine.sharing.Continuity;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.sharing.SharingContext;
import dev.grapevine.topology.Neighbourhood;

/** CHOCO-SGD in the memory-saving form: x̂_i and s_i = Σ_j w_ij x̂_j are all that is kept. */
final class FixedChoco implements Encoding {

  private final float gamma;
  private final double trigger;
  private final boolean fromModel;
  private final float[] parameters;
  private final float[] replica;
  private final float[] replicaSum;
  private final CompressedSum messages;
  private final FixedNeighbours fixed = new FixedNeighbours("choco");

  FixedChoco(Choco.Settings settings, Compressor compressor, SharingContext context) {
    gamma = (float) settings.gamma();
    trigger = settings.trigger();
    fromModel = settings.start() == Choco.Start.MODEL;
    parameters = context.vector();
    float[] start = fromModel ? parameters.clone() : new float[parameters.length];
    replica = context.state().floats("replica", start);
    replicaSum = context.state().floats("replica-sum", start.clone());
    messages =
        fromModel
            ? CompressedSum.fromCommonStart(compressor, parameters, context.state())
            : CompressedSum.ofVectors(compressor, parameters.length);
  }

  @Override
  public boolean isLinear() {
    return true;
  }

  @Override
  public boolean keepsMean() {
    return true;
  }

  @Override
  public boolean needsSameStart() {
    return fromModel;
  }

  @Override
  public Continuity continuity() {
    return Continuity.NEIGHBOURS;
  }

  @Override
  public Outgoing encode(int round, Neighbourhood to, Scratch scratch) {
    fixed.require(round, to);
    float[] difference = scratch.floats("sharing.coordinates", parameters.length);
    for (int i = 0; i < parameters.length; i++) {
      difference[i] = parameters[i] - replica[i];
    }
    if (!Choco.isFar(difference, parameters.length, trigger)) {
      return Payload.empty();
    }
    Payload payload = messages.send(difference, scratch);
    messages.addOwn(1, replica, scratch);
    return payload;
  }

  @Override
  public Update decode(int sender, int round, Payload payload, Scratch scratch) {
    return trigger > 0 && payload.size() == 0 ? Update.NOTHING : messages.decode(payload, scratch);
  }

  @Override
  public void combine(Heard heard, Aggregator rule, Scratch scratch) {
    float[] change = messages.weightedSum(heard, scratch);
    for (int i = 0; i < parameters.length; i++) {
      replicaSum[i] += change[i];
      parameters[i] += gamma * (replicaSum[i] - replica[i]);
    }
    messages.finish();
  }
}
