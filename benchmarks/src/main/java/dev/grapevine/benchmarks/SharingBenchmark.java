package dev.grapevine.benchmarks;

import dev.grapevine.engine.ParameterBlock;
import dev.grapevine.message.Outgoing;
import dev.grapevine.settings.Choice;
import dev.grapevine.settings.Registry;
import dev.grapevine.sharing.Contribution;
import dev.grapevine.sharing.Received;
import dev.grapevine.sharing.Sharing;
import dev.grapevine.sharing.SharingContext;
import dev.grapevine.topology.Neighbourhood;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * What every sharing scheme costs at degree 5 and alpha 0.1: time of a message and of a merge,
 * their share of a GN-LeNet round's training, bytes to one neighbour and the ratio to full sharing.
 * Every node trains by a step of small random changes; the figure is the median over rounds of the
 * thread's processor time, since others share the machine.
 */
public final class SharingBenchmark {

  private static final int DEGREE = 5;

  /** Three steps of eight samples at 110 steps a second: what the share of a round refers to. */
  private static final double ROUND_MILLIS = 3 / 110.0 * 1000;

  private record Scheme(String kind, String settings) {}

  private static final List<Scheme> SCHEMES =
      List.of(
          new Scheme("full", ""),
          new Scheme("subsampling", "alpha = 0.1"),
          new Scheme("round-robin", "alpha = 0.1"),
          new Scheme("topk", "alpha = 0.1"),
          new Scheme("topk-change", "alpha = 0.1"),
          new Scheme("accumulation", "alpha = 0.1\nversion = 1"),
          new Scheme("accumulation", "alpha = 0.1\nversion = 2"),
          new Scheme("normalized", "alpha = 0.1"),
          new Scheme("bounded", "alpha = 0.1"),
          new Scheme("wavelet", "alpha = 0.1"),
          new Scheme("fourier", "alpha = 0.1"),
          new Scheme("jwins", ""),
          new Scheme("jwins++", "alpha = 0.1"),
          new Scheme("choco", "compressor = {kind = \"topk\", alpha = 0.1}"),
          new Scheme("dcd", ""),
          new Scheme("ecd", ""),
          new Scheme("deepsqueeze", "compressor = {kind = \"topk\", alpha = 0.1}"),
          new Scheme("qsgd", "bits = 4"),
          new Scheme("power-gossip", "rank = 1"));

  private SharingBenchmark() {}

  /**
   * @param arguments the number of parameters, then names of schemes to measure, or none for all
   */
  public static void main(String[] arguments) {
    List<String> given = List.of(arguments);
    if (given.isEmpty()) {
      run(System.out, List.of(), 89_834, 4_300_000);
    } else {
      run(System.out, given.subList(1, given.size()), Integer.parseInt(given.getFirst()));
    }
  }

  /** Prints a table for each number of parameters. */
  public static void run(PrintStream out, List<String> kinds, int... sizes) {
    for (int size : sizes) {
      out.printf(
          "%n%,d parameters, degree %d; share of a training round of %.1f ms%n",
          size, DEGREE, ROUND_MILLIS);
      out.printf(
          "%-28s %11s %11s %9s %12s %9s %9s%n",
          "scheme", "message ms", "merge ms", "of round", "bytes", "metadata", "less by");
      for (Scheme scheme : SCHEMES) {
        if (kinds.isEmpty() || kinds.contains(scheme.kind)) {
          out.println(measure(scheme, size, size < 1_000_000 ? 120 : 6));
        }
      }
    }
  }

  private static String measure(Scheme scheme, int size, int rounds) {
    Choice<SharingContext, Sharing> choice =
        Registry.load().choose(Sharing.FAMILY, scheme.kind, scheme.settings);
    int nodes = DEGREE + 1;
    float[] initial = gaussian(size, 0.1f, new Random(1));
    float[][] models = new float[nodes][];
    Sharing[] sharings = new Sharing[nodes];
    for (int node = 0; node < nodes; node++) {
      models[node] = initial.clone();
      sharings[node] =
          choice.create(
              new SharingContext(node, nodes, models[node], blocks(size), 1, new Random(node)));
    }
    float[] noise = gaussian(2 * size, 0.003f, new Random(2));
    double[] message = new double[rounds];
    double[] merge = new double[rounds];
    long bytes = 0;
    long metadata = 0;
    for (int round = 0; round < rounds; round++) {
      List<Outgoing> outgoing = new ArrayList<>();
      for (int node = 0; node < nodes; node++) {
        train(models[node], noise, (round * 7919 + node * 104_729) % size);
        long begin = now();
        outgoing.add(sharings[node].message(round, complete(node, nodes)));
        message[round] += (now() - begin) / 1e6 / nodes;
      }
      for (int node = 0; node < nodes; node++) {
        Received received = received(node, round, outgoing);
        bytes += received.contributions().getFirst().payload().size();
        metadata += received.contributions().getFirst().payload().metadataSize();
        long begin = now();
        sharings[node].merge(received);
        merge[round] += (now() - begin) / 1e6 / nodes;
      }
    }
    double sending = median(message);
    double merging = median(merge);
    double perMessage = (double) bytes / rounds / nodes;
    return "%-28s %11.3f %11.3f %8.1f%% %,12.0f %8.1f%% %8.2fx"
        .formatted(
            (scheme.kind + " " + scheme.settings.replace("\n", ", ")).strip(),
            sending,
            merging,
            100 * (sending + merging) / ROUND_MILLIS,
            perMessage,
            100.0 * metadata / Math.max(1, bytes),
            4.0 * size / perMessage);
  }

  private static float[] gaussian(int size, float deviation, Random random) {
    float[] values = new float[size];
    for (int i = 0; i < size; i++) {
      values[i] = deviation * (float) random.nextGaussian();
    }
    return values;
  }

  private static void train(float[] model, float[] noise, int from) {
    for (int i = 0; i < model.length; i++) {
      model[i] += noise[from + i];
    }
  }

  /** Square matrices of a thousand or fewer columns, as most layers are. */
  private static List<ParameterBlock> blocks(int size) {
    List<ParameterBlock> blocks = new ArrayList<>();
    int side = Math.min(1000, (int) Math.sqrt(size / 4.0));
    int at = 0;
    while (at < size) {
      int rows = Math.min(side, (size - at) / side);
      int[] shape = rows > 0 ? new int[] {rows, side} : new int[] {size - at};
      blocks.add(new ParameterBlock("block" + at, shape, at));
      at += blocks.getLast().size();
    }
    return blocks;
  }

  private static Neighbourhood complete(int node, int nodes) {
    int[] peers = new int[nodes - 1];
    double[] weights = new double[nodes - 1];
    for (int i = 0; i < peers.length; i++) {
      peers[i] = i < node ? i : i + 1;
      weights[i] = 1.0 / nodes;
    }
    return new Neighbourhood(node, peers, peers, weights, 1.0 / nodes);
  }

  private static Received received(int node, int round, List<Outgoing> outgoing) {
    List<Contribution> contributions = new ArrayList<>();
    int nodes = outgoing.size();
    for (int peer = 0; peer < nodes; peer++) {
      if (peer != node) {
        contributions.add(new Contribution(peer, 1.0 / nodes, outgoing.get(peer).to(node)));
      }
    }
    return new Received(round, 1.0 / nodes, contributions);
  }

  private static long now() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static double median(double[] values) {
    // The first half warms the compiler up.
    double[] late = Arrays.copyOfRange(values, values.length / 2, values.length);
    Arrays.sort(late);
    return late[late.length / 2];
  }
}
