package dev.grapevine.sharing;

import dev.grapevine.message.Outgoing;
import dev.grapevine.settings.Kind;
import dev.grapevine.topology.Neighbourhood;
import java.util.List;

/**
 * Sends the whole model and takes the plain average of its own and all that arrived, whatever the
 * topology's weights. Keeps the mean of all models only on regular graphs.
 */
@Kind(name = "average", summary = "the whole model, averaged with equal weights")
public final class AverageSharing implements Sharing {

  private final float[] parameters;

  public AverageSharing(SharingContext context) {
    parameters = context.parameters();
  }

  @Override
  public Outgoing message(int round, Neighbourhood neighbours) {
    return DenseModel.encode(parameters);
  }

  @Override
  public void merge(Received received) {
    double weight = 1.0 / (received.contributions().size() + 1);
    List<Contribution> equal =
        received.contributions().stream()
            .map(each -> new Contribution(each.sender(), weight, each.payload()))
            .toList();
    DenseModel.mix(parameters, weight, equal);
  }
}
