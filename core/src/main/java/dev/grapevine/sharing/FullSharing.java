package dev.grapevine.sharing;

import dev.grapevine.message.Outgoing;
import dev.grapevine.settings.Kind;
import dev.grapevine.topology.Neighbourhood;

/**
 * Sends the whole model and mixes with the topology's weights: {@code x_i = sum_j w_ij x_j}. Costs
 * 4 bytes per parameter and neighbour.
 */
@Kind(
    name = "full",
    summary = "the whole model, mixed with the topology's weights",
    paper =
        "Lian et al., Can Decentralized Algorithms Outperform Centralized Algorithms?, NIPS 2017")
public final class FullSharing implements Sharing {

  private final float[] parameters;

  public FullSharing(SharingContext context) {
    parameters = context.parameters();
  }

  @Override
  public Outgoing message(int round, Neighbourhood neighbours) {
    return DenseModel.encode(parameters);
  }

  @Override
  public void merge(Received received) {
    DenseModel.mix(parameters, received.selfWeight(), received.contributions());
  }
}
