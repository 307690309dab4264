package dev.grapevine.benchmarks.faults;

import dev.grapevine.UserException;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.experiment.ExperimentCheck;
import dev.grapevine.protocol.Protocol;
import dev.grapevine.random.RandomStreams;
import dev.grapevine.runtime.fault.Fault;
import dev.grapevine.settings.KindDescription;
import dev.grapevine.settings.Registry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Small experiments in which something goes wrong, of every protocol. */
final class FaultyRuns {

  static final int NODES = 9;
  private static final int ROUNDS = 5;

  private static final String BASE =
      """
      name = "faults"
      rounds = %d
      [nodes]
      count = %d
      [topology]
      kind = "regular"
      [data]
      set = "blobs"
      samples = 180
      dimensions = 4
      classes = 3
      [model]
      kind = "logistic"
      [training]
      rate = 0.01
      batch-size = 4
      steps = 1
      [evaluation]
      every = 1
      link-traffic = false
      """
          .formatted(ROUNDS, NODES);

  /** What to change for rules that ask for another graph or other weights, until one fits. */
  private static final List<List<String>> GRAPHS =
      List.of(
          List.of(),
          List.of("topology.lazy=true"),
          List.of("topology.kind=chain"),
          List.of("topology.kind=fully-connected"));

  /** Those that promise to keep the mean of all models (docs/protocols.md). */
  private static final List<String> KEEP_MEAN =
      List.of(
          "d-psgd",
          "peer-sampler",
          "el-oracle",
          "ad-psgd",
          "dynamic-graph",
          "knn",
          "push-sum",
          "d2",
          "gradient-tracking",
          "all-reduce",
          "exact-diffusion",
          "nids",
          "extra",
          "qg-dsgdm",
          "decentlam",
          "k-gt",
          "beer",
          "gt-hsgd",
          "dfedsam",
          "overlap-sgp",
          "shatter",
          "ngc");

  private final Map<String, Experiment> healthy = new LinkedHashMap<>();

  FaultyRuns() {
    Experiment base = Experiment.parse(BASE);
    for (KindDescription kind : Registry.load().kinds(Protocol.FAMILY)) {
      fitting(base.with("protocol.kind", quoted(kind.name())))
          .ifPresent(experiment -> healthy.put(kind.name(), experiment));
    }
  }

  private static Optional<Experiment> fitting(Experiment experiment) {
    for (List<String> graph : GRAPHS) {
      try {
        Experiment changed = experiment.with(graph);
        ExperimentCheck.check(changed);
        return Optional.of(changed);
      } catch (UserException refused) {
        // The next graph may suit it.
        continue;
      }
    }
    return Optional.empty();
  }

  /** The protocols that fit the small experiment. */
  List<String> protocols() {
    return List.copyOf(healthy.keySet());
  }

  private Experiment healthy(String protocol) {
    Experiment experiment = healthy.get(protocol);
    if (experiment == null) {
      throw new IllegalArgumentException("no such protocol: protocol=" + protocol);
    }
    return experiment;
  }

  /** Every case of the matrix. */
  List<FaultyRun> matrix() {
    List<FaultyRun> cases = new ArrayList<>();
    for (String protocol : healthy.keySet()) {
      for (Fault fault : Fault.values()) {
        for (String clock : List.of("simulated", "memory", "tcp")) {
          for (String missing : List.of("wait", "go-on", "fail")) {
            for (String failed : List.of("end", "drop")) {
              for (int round : new int[] {0, 2}) {
                cases.add(ofMatrix(protocol, fault, clock, missing, failed, round));
              }
            }
          }
        }
      }
    }
    return cases;
  }

  private FaultyRun ofMatrix(
      String protocol, Fault fault, String clock, String missing, String failed, int round) {
    Experiment experiment =
        healthy(protocol)
            .with("faults.missing", quoted(missing))
            .with("faults.deadline", quoted("150 ms"))
            .with("faults.failed-node", quoted(failed))
            .with("faults.inject", "[" + injected(fault, 2, round) + "]");
    experiment =
        clock.equals("simulated")
            ? experiment.with("runtime.kind", quoted(clock))
            : experiment
                .with("runtime.kind", quoted("live"))
                .with("network.transport", quoted(clock));
    return new FaultyRun(
        "%s, %s in round %d, %s, %s, %s"
            .formatted(protocol, name(fault), round, clock, missing, failed),
        experiment,
        "./grapevine run the experiment that was kept",
        false);
  }

  /** A simulation with faults drawn by a seed. */
  FaultyRun random(long seed) {
    RandomGenerator random = RandomStreams.of(seed, 0, "fault sweep");
    List<String> protocols = protocols();
    String protocol = protocols.get(random.nextInt(protocols.size()));
    Experiment experiment =
        healthy(protocol)
            .with("seed", Long.toString(seed))
            .with("runtime.kind", quoted("simulated"))
            .with("faults.missing", quoted("go-on"))
            .with("faults.deadline", quoted(1 + random.nextInt(5) + " s"))
            .with("faults.failed-node", quoted(random.nextBoolean() ? "drop" : "end"));
    if (random.nextBoolean()) {
      experiment = experiment.with("faults.loss", share(random, 0.3));
    }
    if (random.nextBoolean()) {
      experiment = experiment.with("faults.duplicates", share(random, 0.3));
    }
    if (random.nextBoolean()) {
      experiment =
          experiment
              .with("faults.held-back", share(random, 0.4))
              .with("faults.held-for", quoted(1 + random.nextInt(4) + " s"));
    }
    if (random.nextInt(3) == 0) {
      int from = random.nextInt(4);
      experiment =
          experiment.with(
              "faults.partitions",
              "[{from = \"%d s\", to = \"%d s\", nodes = \"0-%d\"}]"
                  .formatted(from, from + 1 + random.nextInt(8), random.nextInt(NODES - 1)));
    }
    if (random.nextInt(3) > 0) {
      experiment = churning(experiment, random);
    }
    List<String> injected = new ArrayList<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      Fault fault = Fault.values()[random.nextInt(Fault.values().length)];
      injected.add(injected(fault, random.nextInt(NODES), random.nextInt(ROUNDS)));
    }
    return new FaultyRun(
        "seed %d, %s".formatted(seed, protocol),
        experiment.with("faults.inject", "[" + String.join(", ", injected) + "]"),
        "./grapevine bench faults --cases 0 --first-seed %d --seeds 1".formatted(seed),
        false);
  }

  /**
   * A simulation of nodes that mix and hardly train, in which messages come twice, late and in
   * another order, but all of them come.
   */
  FaultyRun lossless(long seed) {
    RandomGenerator random = RandomStreams.of(seed, 0, "lossless fault sweep");
    String protocol = KEEP_MEAN.get(random.nextInt(KEEP_MEAN.size()));
    Experiment experiment =
        healthy(protocol)
            .with("seed", Long.toString(seed))
            .with("rounds", "30")
            .with("nodes.same-start", "false")
            .with("training.rate", "1e-6")
            .with("evaluation.every", "0")
            .with("runtime.kind", quoted("simulated"))
            .with("faults.missing", quoted("wait"))
            .with("faults.duplicates", share(random, 0.4))
            .with("faults.held-back", share(random, 0.5))
            .with("faults.held-for", quoted(1 + random.nextInt(4000) + " ms"));
    List<String> injected = new ArrayList<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      Fault fault = random.nextBoolean() ? Fault.IS_SLOW : Fault.SENDS_TWICE;
      injected.add(injected(fault, random.nextInt(NODES), random.nextInt(ROUNDS)));
    }
    return new FaultyRun(
        "seed %d without losses, %s".formatted(seed, protocol),
        experiment.with("faults.inject", "[" + String.join(", ", injected) + "]"),
        "./grapevine bench faults --cases 0 --first-seed %d --seeds 1".formatted(seed),
        true);
  }

  /** Nodes go down and come back, or leave for good, by the clock or by rounds. */
  private static Experiment churning(Experiment experiment, RandomGenerator random) {
    String with = List.of("memory", "fresh", "neighbour", "checkpoint").get(random.nextInt(4));
    String times =
        random.nextBoolean()
            ? "up = \"%d ms\", down = \"%d ms\""
                .formatted(500 + random.nextInt(6000), 200 + random.nextInt(3000))
            : "up-rounds = %d, down-rounds = %d"
                .formatted(1 + random.nextInt(4), 1 + random.nextInt(2));
    Experiment churning =
        experiment.with(
            "faults.churn",
            "{kind = \"rate\", %s, for-good = %s, with = %s}"
                .formatted(times, share(random, 0.3), quoted(with)));
    return with.equals("checkpoint") || random.nextInt(4) == 0
        ? churning.with("checkpoint.every", Integer.toString(1 + random.nextInt(2)))
        : churning;
  }

  private static String share(RandomGenerator random, double most) {
    return String.format(Locale.ROOT, "%.3f", most * random.nextDouble());
  }

  private static String injected(Fault fault, int node, int round) {
    return "{fault = %s, node = %d, from-round = %d, delay = \"200 ms\"}"
        .formatted(quoted(name(fault)), node, round);
  }

  private static String name(Fault fault) {
    return fault.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static String quoted(String text) {
    return '"' + text + '"';
  }
}
