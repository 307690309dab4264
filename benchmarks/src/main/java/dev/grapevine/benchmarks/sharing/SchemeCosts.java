package dev.grapevine.benchmarks.sharing;

import dev.grapevine.aggregation.WeightedMean;
import dev.grapevine.benchmarks.measure.Median;
import dev.grapevine.benchmarks.measure.ProcessorTime;
import dev.grapevine.benchmarks.report.Output;
import dev.grapevine.benchmarks.report.Report;
import dev.grapevine.benchmarks.report.Table;
import dev.grapevine.exchange.ByHand;
import dev.grapevine.exchange.Contribution;
import dev.grapevine.exchange.Exchange;
import dev.grapevine.exchange.Received;
import dev.grapevine.message.Outgoing;
import dev.grapevine.settings.Choice;
import dev.grapevine.settings.Registry;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.sharing.SharingContext;
import dev.grapevine.topology.Neighbourhood;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.DoubleSupplier;

/**
 * What every sharing scheme costs at degree 5 and alpha 0.1: time of a message and of a merge,
 * their share of a GN-LeNet round's training, bytes of a round and the ratio to full sharing. Six
 * nodes that all know each other change by what training changed; a time is the median over the
 * later rounds of the thread's processor time.
 */
final class SchemeCosts {

  private static final int DEGREE = 5;

  /** How many times less than full sharing the thesis sends. */
  private static final Map<String, Double> THESIS = Map.of("jwins++", 20.0);

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
          new Scheme("qsgd", "bits = 4\nnorm = \"max\""),
          new Scheme("power-gossip", "rank = 1"));

  /** Training is measured in between, so that both see the machine at the same speed. */
  private static final int TRAIN_EVERY = 4;

  private final TrainedModel model;
  private final DoubleSupplier trainingMillis;
  private final int rounds;

  /**
   * @param trainingMillis trains a GN-LeNet round, for comparison
   * @param rounds how many rounds each scheme runs
   */
  SchemeCosts(TrainedModel model, DoubleSupplier trainingMillis, int rounds) {
    this.model = model;
    this.trainingMillis = trainingMillis;
    this.rounds = rounds;
  }

  /** Fills a table and returns each scheme's share of a round's training, in percent. */
  Map<String, Double> measure(List<String> kinds, Output output, Report report)
      throws InterruptedException {
    Table table =
        report.table(
            "schemes_" + Table.key(model.name()),
            "Schemes on %s, %,d parameters, degree %d"
                .formatted(model.name(), model.size(), DEGREE),
            "scheme",
            "message ms",
            "merge ms",
            "GB/s of model",
            "% of training",
            "bytes a round",
            "% metadata",
            "ratio to full",
            "thesis");
    Map<String, Double> shares = new LinkedHashMap<>();
    for (Scheme scheme : SCHEMES) {
      if (kinds.isEmpty() || kinds.contains(scheme.kind)) {
        output.progress("%s at %,d parameters ...", scheme.kind, model.size());
        shares.put(scheme.kind, measure(scheme, table));
      }
    }
    return shares;
  }

  private double measure(Scheme scheme, Table table) throws InterruptedException {
    int nodes = DEGREE + 1;
    float[][] models = new float[nodes][];
    List<Exchange> exchanges = exchanges(scheme, models);
    double[] message = new double[rounds];
    double[] merge = new double[rounds];
    double[] training = new double[(rounds + TRAIN_EVERY - 1) / TRAIN_EVERY];
    long bytes = 0;
    long metadata = 0;
    for (int round = 0; round < rounds; round++) {
      if (round % TRAIN_EVERY == 0) {
        training[round / TRAIN_EVERY] = trainingMillis.getAsDouble();
      }
      List<Outgoing> outgoing = new ArrayList<>();
      for (int node = 0; node < nodes; node++) {
        add(model.changes()[(7 * round + 5 * node) % model.changes().length], models[node]);
        double begin = ProcessorTime.ofThread();
        outgoing.add(exchanges.get(node).encode(round, complete(node, nodes)));
        message[round] += (ProcessorTime.ofThread() - begin) * 1e3 / nodes;
      }
      for (int node = 0; node < nodes; node++) {
        Received received = received(node, round, outgoing);
        for (Contribution contribution : received.contributions()) {
          bytes += contribution.payload().size();
          metadata += contribution.payload().metadataSize();
        }
        double begin = ProcessorTime.ofThread();
        exchanges.get(node).combine(received);
        merge[round] += (ProcessorTime.ofThread() - begin) * 1e3 / nodes;
      }
    }
    double sending = Median.ofLate(message);
    double merging = Median.ofLate(merge);
    double share = 100 * (sending + merging) / Median.ofLate(training);
    double perRound = (double) bytes / rounds / nodes;
    table.row(
        (scheme.kind + " " + scheme.settings.replace("\n", ", ")).strip(),
        sending,
        merging,
        Float.BYTES * model.size() / 1e6 / (sending + merging),
        share,
        Math.round(perRound),
        100.0 * metadata / Math.max(1, bytes),
        (double) Float.BYTES * DEGREE * model.size() / perRound,
        THESIS.get(scheme.kind));
    return share;
  }

  private List<Exchange> exchanges(Scheme scheme, float[][] models) {
    Choice<SharingContext, Encoding> choice =
        Registry.load().choose(Encoding.FAMILY, scheme.kind, scheme.settings);
    List<Exchange> exchanges = new ArrayList<>();
    // One for all, as the nodes of a run share the arrays of their pool.
    ByHand byHand = new ByHand();
    for (int node = 0; node < models.length; node++) {
      models[node] = model.start().clone();
      Encoding encoding =
          choice.create(
              new SharingContext(
                  node, models.length, models[node], model.blocks(), 1, new Random(node)));
      exchanges.add(new Exchange(0, models[node], encoding, new WeightedMean(), List.of(), byHand));
    }
    return exchanges;
  }

  private static void add(float[] change, float[] model) {
    for (int i = 0; i < model.length; i++) {
      model[i] += change[i];
    }
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
}
