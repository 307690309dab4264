package dev.grapevine.sharing;

import dev.grapevine.engine.ParameterBlock;
import dev.grapevine.exchange.Contribution;
import dev.grapevine.exchange.Received;
import dev.grapevine.learning.SampleExchange;
import dev.grapevine.message.Outgoing;
import dev.grapevine.message.Payload;
import dev.grapevine.settings.Registry;
import dev.grapevine.state.State;
import dev.grapevine.topology.Neighbourhood;
import dev.grapevine.topology.Topology;
import dev.grapevine.topology.TopologyContext;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BiConsumer;

/** A few nodes that share in step, without a runtime: messages are carried by hand. */
final class Network {

  static final Registry REGISTRY = Registry.load();

  final Topology topology;
  final float[][] models;
  final Scheme[] sharings;
  final List<Bag> bags = new ArrayList<>();
  private final List<State> states = new ArrayList<>();
  private final List<Random> randoms = new ArrayList<>();
  private final Opening opening;
  private int round;

  private Network(Topology topology, float[][] models, Opening opening) {
    this.topology = topology;
    this.models = models;
    this.sharings = new Scheme[models.length];
    this.opening = opening;
  }

  static Topology topology(String kind, String settings, int nodes, long seed) {
    return REGISTRY
        .choose(Topology.FAMILY, kind, settings)
        .create(new TopologyContext(nodes, seed, Path.of("")));
  }

  /** Nodes that start from the given models, all with the same scheme. */
  static Network of(String kind, String settings, Topology topology, float[][] models, long seed) {
    return of(kind, settings, topology, models, blocks(models[0].length), seed);
  }

  static Network of(
      String kind,
      String settings,
      Topology topology,
      float[][] models,
      List<ParameterBlock> blocks,
      long seed) {
    Network network =
        new Network(
            topology,
            models,
            (node, state, random, bag) ->
                REGISTRY
                    .choose(Encoding.FAMILY, kind, settings)
                    .create(
                        new SharingContext(
                            node, models.length, models[node], blocks, seed, random, state, bag)));
    for (int node = 0; node < models.length; node++) {
      network.bags.add(new Bag(node));
      network.states.add(State.fresh());
      network.randoms.add(new Random(seed * 1000 + node));
      network.open(node);
    }
    return network;
  }

  private interface Opening {
    Encoding open(int node, State state, Random random, Bag bag);
  }

  private void open(int node) {
    Encoding encoding = opening.open(node, states.get(node), randoms.get(node), bags.get(node));
    sharings[node] = new Scheme(encoding, models[node]);
  }

  /** Lets every node begin anew with nothing but its model, its random stream and its state. */
  void resume() {
    for (int node = 0; node < models.length; node++) {
      states.set(node, State.resumed(states.get(node).snapshot()));
      open(node);
    }
  }

  /** The model as one matrix, as square as its length allows, and a bias for what is left. */
  static List<ParameterBlock> blocks(int size) {
    int rows = (int) Math.sqrt(size);
    int cols = size / rows;
    List<ParameterBlock> blocks = new ArrayList<>();
    blocks.add(new ParameterBlock("weight", new int[] {rows, cols}, 0));
    if (size > rows * cols) {
      blocks.add(new ParameterBlock("bias", new int[] {size - rows * cols}, rows * cols));
    }
    return blocks;
  }

  /** Trains every node, then exchanges; returns the bytes sent. */
  long round(BiConsumer<Integer, float[]> train) {
    int nodes = models.length;
    List<Outgoing> outgoing = new ArrayList<>();
    for (int node = 0; node < nodes; node++) {
      train.accept(node, models[node]);
      outgoing.add(sharings[node].message(round, topology.neighbours(node, round)));
    }
    long bytes = 0;
    for (int node = 0; node < nodes; node++) {
      Received received = received(node, topology.neighbours(node, round), outgoing);
      for (Contribution contribution : received.contributions()) {
        bytes += contribution.payload().size();
      }
      sharings[node].merge(received);
    }
    round++;
    return bytes;
  }

  Received received(int node, Neighbourhood neighbours, List<Outgoing> outgoing) {
    List<Contribution> contributions = new ArrayList<>();
    for (int i = 0; i < neighbours.hearsFrom().length; i++) {
      int peer = neighbours.hearsFrom()[i];
      contributions.add(
          new Contribution(peer, neighbours.weights()[i], wire(outgoing.get(peer).to(node))));
    }
    return new Received(round, neighbours.selfWeight(), contributions);
  }

  int rounds() {
    return round;
  }

  /** A payload as it comes out of a socket: a fresh array, nothing shared with the sender. */
  static Payload wire(Payload payload) {
    ByteBuffer in = payload.buffer();
    byte[] bytes = new byte[in.remaining()];
    in.get(bytes);
    return Payload.of(bytes, bytes.length, payload.metadataSize());
  }

  double[] mean() {
    double[] mean = new double[models[0].length];
    for (float[] model : models) {
      for (int i = 0; i < mean.length; i++) {
        mean[i] += (double) model[i] / models.length;
      }
    }
    return mean;
  }

  static float[][] randomModels(int nodes, int size, long seed) {
    Random random = new Random(seed);
    float[][] models = new float[nodes][size];
    for (float[] model : models) {
      for (int i = 0; i < size; i++) {
        model[i] = (float) random.nextGaussian();
      }
    }
    return models;
  }

  static float[][] equalModels(int nodes, float[] model) {
    float[][] models = new float[nodes][];
    for (int i = 0; i < nodes; i++) {
      models[i] = model.clone();
    }
    return models;
  }

  /** Samples of two inputs and one target. */
  static final class Bag implements SampleExchange {

    final List<float[]> samples = new ArrayList<>();

    Bag(int node) {
      for (int i = 0; i < 3; i++) {
        samples.add(new float[] {node, i, 10 * node + i});
      }
    }

    @Override
    public int samples() {
      return samples.size();
    }

    @Override
    public int inputSize() {
      return 2;
    }

    @Override
    public int targetSize() {
      return 1;
    }

    @Override
    public void read(int sample, float[] inputs, int inputAt, float[] targets, int targetAt) {
      inputs[inputAt] = samples.get(sample)[0];
      inputs[inputAt + 1] = samples.get(sample)[1];
      targets[targetAt] = samples.get(sample)[2];
    }

    @Override
    public void add(float[] inputs, int inputAt, float[] targets, int targetAt) {
      samples.add(new float[] {inputs[inputAt], inputs[inputAt + 1], targets[targetAt]});
    }
  }
}
