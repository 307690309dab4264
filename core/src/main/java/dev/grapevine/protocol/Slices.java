package dev.grapevine.protocol;

import dev.grapevine.aggregation.Aggregator;
import dev.grapevine.aggregation.Heard;
import dev.grapevine.aggregation.Update;
import dev.grapevine.message.Outgoing;
import dev.grapevine.message.Payload;
import dev.grapevine.node.Node;
import dev.grapevine.scratch.Scratch;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.topology.Neighbourhood;
import java.util.Arrays;

/** One stage of an all-reduce: the vector cut into as many slices as there are learners. */
final class Slices implements Encoding {

  /** What a message holds. */
  enum Stage {
    /** The sender's values of the receiver's slice. */
    SCATTER,
    /** The sender's slice, combined. */
    GATHER
  }

  private final float[] vector;
  private final int node;
  private final int slices;
  private final Stage stage;

  Slices(float[] vector, Node self, Stage stage) {
    this.vector = vector;
    this.node = self.id();
    this.slices = self.learners();
    this.stage = stage;
  }

  private int begin(int slice) {
    return (int) ((long) vector.length * slice / slices);
  }

  private float[] slice(int slice) {
    return Arrays.copyOfRange(vector, begin(slice), begin(slice + 1));
  }

  @Override
  public Outgoing encode(int round, Neighbourhood to, Scratch scratch) {
    if (stage == Stage.GATHER) {
      return Update.payload(slice(node));
    }
    Payload[] parts = new Payload[slices];
    Arrays.setAll(parts, slice -> Update.payload(slice(slice)));
    return peer -> parts[peer];
  }

  @Override
  public Update decode(int sender, int round, Payload payload, Scratch scratch) {
    int slice = stage == Stage.GATHER ? sender : node;
    return Update.ofBytes(payload, begin(slice + 1) - begin(slice));
  }

  @Override
  public void combine(Heard heard, Aggregator rule, Scratch scratch) {
    if (stage == Stage.SCATTER) {
      float[] own = slice(node);
      rule.combine(own, own.length, heard, own, scratch);
      System.arraycopy(own, 0, vector, begin(node), own.length);
      return;
    }
    for (Heard.Weighted each : heard.updates()) {
      float[] theirs = slice(each.sender());
      each.update().read(0, theirs.length, theirs, theirs);
      System.arraycopy(theirs, 0, vector, begin(each.sender()), theirs.length);
    }
  }
}
