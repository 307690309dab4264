package dev.grapevine.protocol;

import dev.grapevine.aggregation.Aggregator;
import dev.grapevine.aggregation.Heard;
import dev.grapevine.aggregation.Update;
import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.Outgoing;
import dev.grapevine.message.Payload;
import dev.grapevine.scratch.Scratch;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.state.State;
import dev.grapevine.topology.Neighbourhood;
import java.util.Arrays;

/**
 * Sums of models on their way along a tree, with how many models each holds; see {@link RelaySgd}.
 */
final class Relay implements Encoding {

  private final float[] model;
  private final float[] start;
  private final int nodes;

  /** The neighbours, rising; what each sent last, and a count of zero where it sent nothing. */
  private final int[] neighbours;

  private final float[][] sums;
  private final int[] counts;

  Relay(float[] model, int nodes, int[] neighbours, State state) {
    this.model = model;
    this.nodes = nodes;
    this.neighbours = neighbours;
    start = state.floats("start", model.clone());
    sums = new float[neighbours.length][];
    counts = new int[neighbours.length];
    for (int i = 0; i < neighbours.length; i++) {
      int at = i;
      sums[at] = state.floats("sum-" + neighbours[at], model.length);
      state.value("count-" + neighbours[at], () -> counts[at], saved -> counts[at] = (int) saved);
    }
  }

  @Override
  public Outgoing encode(int round, Neighbourhood to, Scratch scratch) {
    Payload[] messages = new Payload[neighbours.length];
    Arrays.setAll(messages, this::message);
    return peer -> messages[Arrays.binarySearch(neighbours, peer)];
  }

  /** The node's model and all that came from elsewhere than where the message goes. */
  private Payload message(int receiver) {
    float[] sum = model.clone();
    int count = 1;
    for (int other = 0; other < neighbours.length; other++) {
      if (other != receiver && counts[other] > 0) {
        add(sums[other], sum);
        count += counts[other];
      }
    }
    return new Envelope(new int[] {count}, Update.payload(sum)).sealBare();
  }

  private static void add(float[] values, float[] sum) {
    for (int i = 0; i < sum.length; i++) {
      sum[i] += values[i];
    }
  }

  @Override
  public Update decode(int sender, int round, Payload payload, Scratch scratch) {
    Envelope envelope = Envelope.openBare(payload, 1);
    int count = envelope.header()[0];
    if (count < 1 || count >= nodes) {
      throw new MalformedPayloadException(
          "a sum of impossibly many models: count=%d, nodes=%d".formatted(count, nodes));
    }
    Update sum = Update.ofBytes(envelope.content(), model.length);
    return new Counted(sum, count);
  }

  @Override
  public void combine(Heard heard, Aggregator rule, Scratch scratch) {
    Arrays.fill(counts, 0);
    int count = 1;
    for (Heard.Weighted each : heard.updates()) {
      if (each.update() instanceof Counted(Update sum, int models)) {
        int from = Arrays.binarySearch(neighbours, each.sender());
        sum.read(0, model.length, model, sums[from]);
        counts[from] = models;
        add(sums[from], model);
        count += models;
      }
    }
    float missing = Math.max(0, nodes - count);
    float total = Math.max(nodes, count);
    for (int i = 0; i < model.length; i++) {
      model[i] = (model[i] + missing * start[i]) / total;
    }
  }

  /** A sum and how many models it holds. */
  private record Counted(Update sum, int models) implements Update {

    @Override
    public boolean isWhole() {
      return true;
    }

    @Override
    public boolean isFinite() {
      return sum.isFinite();
    }

    @Override
    public void read(int from, int length, float[] own, float[] block) {
      sum.read(from, length, own, block);
    }

    @Override
    public void addTo(float[] into, float weight) {
      sum.addTo(into, weight);
    }
  }
}
