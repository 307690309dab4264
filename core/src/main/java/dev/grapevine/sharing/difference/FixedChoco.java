package dev.grapevine.sharing.difference;

import dev.grapevine.message.Outgoing;
import dev.grapevine.message.Payload;
import dev.grapevine.sharing.Continuity;
import dev.grapevine.sharing.Received;
import dev.grapevine.sharing.Sharing;
import dev.grapevine.sharing.SharingContext;
import dev.grapevine.sharing.Workspace;
import dev.grapevine.topology.Neighbourhood;

/** CHOCO-SGD in the memory-saving form: x̂_i and s_i = Σ_j w_ij x̂_j are all that is kept. */
final class FixedChoco implements Sharing {

  private final float gamma;
  private final float[] parameters;
  private final float[] replica;
  private final float[] replicaSum;
  private final Exchange exchange;
  private final FixedNeighbours fixed = new FixedNeighbours("choco");

  FixedChoco(double gamma, Compressor compressor, SharingContext context) {
    this.gamma = (float) gamma;
    parameters = context.parameters();
    replica = new float[parameters.length];
    replicaSum = new float[parameters.length];
    exchange = Exchange.ofVectors(compressor, parameters.length);
  }

  @Override
  public Continuity continuity() {
    return Continuity.NEIGHBOURS;
  }

  @Override
  public Outgoing message(int round, Neighbourhood neighbours) {
    fixed.require(round, neighbours);
    try (Workspace workspace = Workspace.borrow()) {
      float[] difference = workspace.floats(0, parameters.length);
      for (int i = 0; i < parameters.length; i++) {
        difference[i] = parameters[i] - replica[i];
      }
      Payload payload = exchange.send(difference, workspace);
      exchange.addOwn(1, replica, workspace);
      return payload;
    }
  }

  @Override
  public void merge(Received received) {
    try (Workspace workspace = Workspace.borrow()) {
      float[] change = exchange.weightedSum(received, workspace);
      for (int i = 0; i < parameters.length; i++) {
        replicaSum[i] += change[i];
        parameters[i] += gamma * (replicaSum[i] - replica[i]);
      }
      exchange.finish();
    }
  }
}
