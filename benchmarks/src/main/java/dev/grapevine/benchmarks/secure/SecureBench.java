package dev.grapevine.benchmarks.secure;

import dev.grapevine.aggregation.WeightedMean;
import dev.grapevine.benchmarks.Benchmark;
import dev.grapevine.benchmarks.measure.Median;
import dev.grapevine.benchmarks.measure.ProcessorTime;
import dev.grapevine.benchmarks.report.Figure;
import dev.grapevine.benchmarks.report.Output;
import dev.grapevine.benchmarks.report.Report;
import dev.grapevine.benchmarks.report.Table;
import dev.grapevine.benchmarks.workload.CifarShaped;
import dev.grapevine.benchmarks.workload.Fleet;
import dev.grapevine.benchmarks.workload.Training;
import dev.grapevine.exchange.ByHand;
import dev.grapevine.exchange.Contribution;
import dev.grapevine.exchange.Exchange;
import dev.grapevine.exchange.Received;
import dev.grapevine.learning.ModelLearner;
import dev.grapevine.message.Outgoing;
import dev.grapevine.network.FrameHeader;
import dev.grapevine.scratch.Scratch;
import dev.grapevine.security.masking.AgreementKey;
import dev.grapevine.security.masking.KeyRing;
import dev.grapevine.security.masking.MaskStream;
import dev.grapevine.security.masking.Roster;
import dev.grapevine.security.masking.Secrets;
import dev.grapevine.security.masking.Session;
import dev.grapevine.sharing.FullSharing;
import dev.grapevine.sharing.SharingContext;
import dev.grapevine.topology.Neighbourhood;
import dev.grapevine.topology.Topology;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.spec.AlgorithmParameterSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import javax.crypto.Cipher;
import javax.crypto.spec.ChaCha20ParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code grapevine bench secure}. */
@Command(
    name = "secure",
    description =
        "What secure aggregation costs a node-round, beside its training; set-up, losses.",
    mixinStandardHelpOptions = true)
public final class SecureBench implements Benchmark, Callable<Integer> {

  private static final int[] DEGREES = {3, 5, 9};
  private static final double[] WANTED = {8, 15, 45};
  private static final int NODES = 256;
  private static final int WARM_UP = 600;

  @Mixin private Output output;

  @Option(
      names = "--quick",
      description = "Few rounds: shows that it works, the figures mean little.")
  private boolean quick;

  @Override
  public Integer call() throws InterruptedException, GeneralSecurityException {
    Report report = new Report("secure");
    output.progress("training GN-LeNet ...");
    ModelLearner learner = Training.gnLenet(CifarShaped.of(quick ? 100 : 2000)).learner(0, 1);
    for (int i = 0; i < (quick ? 2 : 40); i++) {
      learner.train();
    }
    double aes = streams(learner.parameters().length, report);
    rounds(learner, aes, report);
    setUp(report);
    output.print(report);
    return 0;
  }

  private static double trainingMillis(ModelLearner learner) {
    double begin = ProcessorTime.ofThread();
    learner.train();
    return (ProcessorTime.ofThread() - begin) * 1e3;
  }

  /** Both ciphers alone, and the masks that are made of the first. */
  private double streams(int parameters, Report report) throws GeneralSecurityException {
    output.progress("key streams ...");
    Table table = report.table("streams", "Key streams", "what", "GB/s of one core");
    double[][] speeds = new double[4][quick ? 2 : 14];
    for (int reading = 0; reading < speeds[0].length; reading++) {
      speeds[0][reading] = speed("AES/CTR/NoPadding", "AES", 16, new IvParameterSpec(new byte[16]));
      speeds[1][reading] =
          speed("ChaCha20", "ChaCha20", 32, new ChaCha20ParameterSpec(new byte[12], 0));
      speeds[2][reading] = maskSpeed(parameters, 32);
      speeds[3][reading] = maskSpeed(parameters, 16);
    }
    double aes = Median.ofLate(speeds[0]);
    double chaCha = Median.ofLate(speeds[1]);
    table.row("AES-128-CTR", aes);
    table.row("ChaCha20", chaCha);
    table.row("five masks of 32 bits, added to numbers", Median.ofLate(speeds[2]));
    table.row("five masks of 16 bits, added to numbers", Median.ofLate(speeds[3]));
    report.figure(Figure.of("AES-CTR against ChaCha20", aes / chaCha, "x").atLeast(1));
    return aes;
  }

  /** What the JDK can do: nothing is done with the stream. */
  private double speed(String name, String algorithm, int keyBytes, AlgorithmParameterSpec from)
      throws GeneralSecurityException {
    byte[] zeros = new byte[1 << 14];
    byte[] piece = new byte[zeros.length];
    int streams = quick ? 5 : 300;
    int pieces = 22;
    byte[] key = new byte[keyBytes];
    Cipher cipher = Cipher.getInstance(name);
    double begin = ProcessorTime.ofThread();
    for (int stream = 0; stream < streams; stream++) {
      key[0] = (byte) stream;
      key[1] = (byte) (stream >> 8);
      cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, algorithm), from);
      for (int i = 0; i < pieces; i++) {
        int unused = cipher.update(zeros, 0, zeros.length, piece, 0);
      }
    }
    double seconds = ProcessorTime.ofThread() - begin;
    return streams * (double) pieces * zeros.length / seconds / 1e9;
  }

  private double maskSpeed(int parameters, int bits) {
    int masks = 5;
    int rounds = quick ? 1 : 60;
    int[] numbers = new int[parameters];
    MaskStream stream = new MaskStream(bits);
    byte[] seed = new byte[MaskStream.SEED_BYTES];
    double begin = ProcessorTime.ofThread();
    try (Scratch scratch = new Scratch()) {
      for (int round = 0; round < rounds; round++) {
        stream.begin(scratch);
        for (int mask = 0; mask < masks; mask++) {
          seed[0] = (byte) mask;
          seed[1] = (byte) round;
          stream.add(seed);
        }
        stream.apply(numbers, 0, parameters);
      }
    }
    double seconds = ProcessorTime.ofThread() - begin;
    return (double) rounds * masks * parameters * bits / Byte.SIZE / seconds / 1e9;
  }

  private void rounds(ModelLearner learner, double aes, Report report) throws InterruptedException {
    Table table =
        report.table(
            "rounds",
            "A node-round of GN-LeNet, %,d parameters".formatted(learner.parameters().length),
            "degree",
            "training ms",
            "plain mix ms",
            "single masks ms",
            "% of training",
            "double masks ms",
            "% of training ",
            "key stream MB",
            "of the JDK's AES ms",
            "one lost ms",
            "extra bytes an edge",
            "% of bytes");
    for (int i = 0; i < DEGREES.length; i++) {
      int degree = DEGREES[i];
      output.progress("degree %d ...", degree);
      RoundTable single = new RoundTable(degree, false, learner.parameters());
      RoundTable twice = new RoundTable(degree, true, learner.parameters());
      List<Exchange> open = exchanges(degree, learner);
      for (int warm = 0; warm < (quick ? 0 : WARM_UP / degree); warm++) {
        warmUp(single, twice);
      }
      int readings = quick ? 2 : 24;
      double[] training = new double[readings];
      double[] plain = new double[readings];
      double[] one = new double[readings];
      double[] two = new double[readings];
      double[] lost = new double[readings];
      double extra = 0;
      // One after the other, so that all see the machine at the same speed.
      for (int reading = 0; reading < readings; reading++) {
        training[reading] = (trainingMillis(learner) + trainingMillis(learner)) / 2;
        plain[reading] = plainMillis(open, reading);
        one[reading] = single.millis();
        two[reading] = twice.millis();
        extra = twice.extraBytes(FrameHeader.BYTES);
        lost[reading] = degree > 3 ? twice.millis(0) : Double.NaN;
      }
      double train = Median.ofLate(training);
      double mix = Median.ofLate(plain);
      double shareOfOne = 100 * (Median.ofLate(one) - mix) / train;
      double shareOfTwo = 100 * (Median.ofLate(two) - mix) / train;
      double message = FrameHeader.BYTES + (double) Float.BYTES * learner.parameters().length;
      // Those with each other sender and the own one as sender, those of all senders as receiver.
      double stream = degree * (degree + 1) * (double) Float.BYTES * learner.parameters().length;
      double recovery = degree > 3 ? Median.ofLate(lost) : Double.NaN;
      table.row(
          degree,
          train,
          mix,
          Median.ofLate(one),
          shareOfOne,
          Median.ofLate(two),
          shareOfTwo,
          stream / 1e6,
          stream / aes / 1e6,
          recovery,
          extra,
          100 * extra / message);
      report.figure(
          Figure.of("double masks at degree " + degree + ", of training", shareOfTwo, "%")
              .atMost(WANTED[i]));
      report.figure(
          Figure.of("single masks at degree " + degree + ", of training", shareOfOne, "%"));
      report.figure(
          Figure.of(
              "double masks at degree " + degree + ", of the time of the JDK's AES alone",
              (Median.ofLate(two) - mix) / (stream / aes / 1e6),
              "x"));
      if (degree == 5) {
        report.figure(
            Figure.of("extra bytes at degree 5, double masks", 100 * extra / message, "%")
                .atMost(0.3));
        report.figure(
            Figure.of(
                    "a round that recovers from one loss, of a usual round",
                    (recovery + train) / (Median.ofLate(two) + train),
                    "x")
                .atMost(2));
      }
    }
  }

  /** A run has thousands of rounds; the first few are not what they cost. */
  private static void warmUp(RoundTable single, RoundTable twice) {
    double unused = single.millis() + twice.millis();
  }

  private static List<Exchange> exchanges(int degree, ModelLearner learner) {
    List<Exchange> exchanges = new ArrayList<>();
    ByHand byHand = new ByHand();
    for (int node = 0; node <= degree; node++) {
      float[] vector = learner.parameters().clone();
      exchanges.add(
          new Exchange(
              0,
              vector,
              FullSharing.raw(
                  new SharingContext(
                      node, degree + 1, vector, learner.blocks(), 1, new Random(node))),
              new WeightedMean(),
              List.of(),
              byHand));
    }
    return exchanges;
  }

  private static double plainMillis(List<Exchange> exchanges, int round)
      throws InterruptedException {
    double begin = ProcessorTime.ofThread();
    List<Outgoing> said = new ArrayList<>();
    double weight = 1.0 / exchanges.size();
    for (int node = 0; node < exchanges.size(); node++) {
      said.add(exchanges.get(node).encode(round, Neighbourhood.alone(node)));
    }
    for (int node = 0; node < exchanges.size(); node++) {
      List<Contribution> heard = new ArrayList<>();
      for (int peer = 0; peer < exchanges.size(); peer++) {
        if (peer != node) {
          heard.add(new Contribution(peer, weight, said.get(peer).to(node)));
        }
      }
      int[] unused = exchanges.get(node).combine(new Received(round, weight, heard));
    }
    return (ProcessorTime.ofThread() - begin) * 1e3 / exchanges.size();
  }

  /**
   * All keys of a run on a random graph of degree 5: one pair for each two with a common receiver.
   */
  private void setUp(Report report) {
    int count = quick ? 16 : NODES;
    output.progress("set-up of %d nodes ...", count);
    Topology graph = Fleet.regular(count, 0);
    SecureRandom random = new SecureRandom();
    Secrets secrets = Secrets.of(random);
    double begin = ProcessorTime.ofThread();
    List<AgreementKey> keys = new ArrayList<>();
    List<byte[]> shown = new ArrayList<>();
    for (int node = 0; node < count; node++) {
      keys.add(AgreementKey.draw(secrets));
      shown.add(keys.getLast().publicKey());
    }
    double drawn = ProcessorTime.ofThread() - begin;
    Roster roster = new Roster(Session.fresh(random), shown);
    int pairs = 0;
    for (int node = 0; node < count; node++) {
      KeyRing ring = new KeyRing(node, keys.get(node), roster);
      TreeSet<Integer> partners = new TreeSet<>();
      for (int receiver : graph.neighbours(node, 0).sendsTo()) {
        for (int sender : graph.neighbours(receiver, 0).hearsFrom()) {
          partners.add(sender);
        }
      }
      partners.remove(node);
      for (int partner : partners) {
        var unused = ring.with(partner);
        pairs++;
      }
    }
    double seconds = ProcessorTime.ofThread() - begin;
    report.fact("ms of a node's key", 1e3 * drawn / count);
    report.fact("ms of a pair's keys", 1e3 * (seconds - drawn) / pairs);
    report.figure(
        Figure.of(
                "set-up of %d nodes at degree 5, %,d keys of pairs, one thread"
                    .formatted(count, pairs),
                seconds,
                "s")
            .atMost(2));
  }
}
