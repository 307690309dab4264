package dev.grapevine.benchmarks.fidelity;

import dev.grapevine.UserException;
import dev.grapevine.benchmarks.Benchmark;
import dev.grapevine.benchmarks.report.Figure;
import dev.grapevine.benchmarks.report.Output;
import dev.grapevine.benchmarks.report.Report;
import dev.grapevine.benchmarks.report.Table;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.launch.Run;
import dev.grapevine.results.MetricColumn;
import dev.grapevine.results.Metrics;
import dev.grapevine.results.SavedRun;
import dev.grapevine.runtime.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The same experiments live over TCP with shaped links, and on the virtual clock with training as
 * long as it is measured on this machine's cores; how far the foretold time of a round and of the
 * whole run is off.
 */
@Command(
    name = "fidelity",
    description = "Simulated against live: the error of foretold round times and runs.",
    mixinStandardHelpOptions = true)
public final class FidelityBench implements Benchmark, Callable<Integer> {

  /** What is allowed where the network sets the pace, and where the cores do; in percent. */
  private static final double NETWORK_ERROR = 5;

  private static final double CORES_ERROR = 10;

  /**
   * One experiment.
   *
   * @param steps of training in a round
   * @param slow whether the first node trains four times as much
   * @param bound what sets the pace, for the target; an experiment in between has none
   */
  private record Case(
      int nodes, String sharing, String rate, String delay, int steps, boolean slow, String bound) {

    /** Many where a round is short, so that one hiccup of the machine does not decide. */
    int rounds() {
      return sharing.equals("full") && rate.equals("10 Mbit/s") ? 6 : 40;
    }

    String name() {
      return "%d nodes, %s, %s, %s%s%s"
          .formatted(
              nodes,
              sharing,
              rate,
              delay,
              steps > 2 ? ", %d steps".formatted(steps) : "",
              slow ? ", one slow node" : "");
    }
  }

  /** When a run was half through and at its end, in seconds, and its rounds. */
  private record Times(double half, double whole, int rounds) {

    double round() {
      return (whole - half) / (rounds - rounds / 2);
    }
  }

  @Mixin private Output output;

  @Option(
      names = "--quick",
      description = "Two small cases of few rounds: shows that it works, the figures mean little.")
  private boolean quick;

  @Option(
      names = "--only",
      paramLabel = "TEXT",
      defaultValue = "",
      description = "Only the cases whose name has this in it, such as \"16 nodes, full, 100\".")
  private String only;

  @Override
  public Integer call() throws IOException {
    Report report = new Report("fidelity");
    int cores = Runtime.getRuntime().availableProcessors();
    report.fact("cores", cores);
    Table table =
        report.table(
            "fidelity",
            "Live over TCP with shaped links, and simulated",
            "experiment",
            "live round ms",
            "simulated round ms",
            "error %",
            "live run s",
            "simulated run s",
            "run error %",
            "bound by");
    List<Case> wanted = cases().stream().filter(each -> each.name().contains(only)).toList();
    if (wanted.isEmpty()) {
      throw new UserException(
          "no case has \"%s\" in its name; there are:%n%s"
              .formatted(only, String.join("\n", cases().stream().map(Case::name).toList())));
    }
    // Loads and compiles what both need.
    for (Case each : wanted.subList(0, (wanted.size() + 1) / 2)) {
      live(each, 2);
      simulated(each, 2, cores);
    }
    double network = 0;
    double compute = 0;
    for (Case each : wanted) {
      int rounds = quick ? 2 : each.rounds();
      Times live = live(each, rounds);
      Times foretold = simulated(each, rounds, cores);
      double error = 100 * (foretold.round() / live.round() - 1);
      double whole = 100 * (foretold.whole / live.whole - 1);
      output.progress(
          "%s: a round takes %.0f ms, foretold %.0f ms",
          each.name(), 1e3 * live.round(), 1e3 * foretold.round());
      table.row(
          each.name(),
          1e3 * live.round(),
          1e3 * foretold.round(),
          error,
          live.whole,
          foretold.whole,
          whole,
          each.bound);
      network = each.bound.equals("network") ? Math.max(network, Math.abs(error)) : network;
      compute = each.bound.equals("cores") ? Math.max(compute, Math.abs(error)) : compute;
    }
    if (wanted.stream().anyMatch(each -> each.bound.equals("network"))) {
      report.figure(
          Figure.of("largest error of a round, network-bound", network, "%").atMost(NETWORK_ERROR));
    }
    if (wanted.stream().anyMatch(each -> each.bound.equals("cores"))) {
      report.figure(
          Figure.of("largest error of a round, core-bound", compute, "%").atMost(CORES_ERROR));
    }
    output.print(report);
    return 0;
  }

  private List<Case> cases() {
    if (quick) {
      return List.of(
          new Case(4, "full", "100 Mbit/s", "5 ms", 2, false, "network"),
          new Case(4, "jwins++", "100 Mbit/s", "5 ms", 10, true, "cores"));
    }
    List<Case> cases = new ArrayList<>();
    for (int nodes : List.of(8, 16)) {
      cases.add(new Case(nodes, "full", "10 Mbit/s", "20 ms", 2, false, "network"));
      cases.add(new Case(nodes, "full", "100 Mbit/s", "5 ms", 2, false, "network"));
      cases.add(new Case(nodes, "jwins++", "10 Mbit/s", "20 ms", 2, false, "network"));
      cases.add(new Case(nodes, "jwins++", "100 Mbit/s", "5 ms", 40, false, "cores"));
      cases.add(new Case(nodes, "full", "100 Mbit/s", "5 ms", 40, true, "cores"));
    }
    return cases;
  }

  private static Times live(Case each, int rounds) throws IOException {
    return run(
        experiment(each, rounds)
            .with(List.of("runtime.kind=live", "network.transport=tcp", "network.shaped=true")));
  }

  private static Times simulated(Case each, int rounds, int cores) throws IOException {
    return run(
        experiment(each, rounds)
            .with(
                List.of(
                    "runtime.kind=simulated",
                    "runtime.compute={kind = \"measured\", cores = %d}".formatted(cores))));
  }

  private static Experiment experiment(Case each, int rounds) {
    return Experiment.parse(
        """
        name = "fidelity"
        rounds = %d
        [nodes]
        count = %d
        [topology]
        kind = "regular"
        degree = %d
        [model]
        kind = "mlp"
        [training]
        steps = %d
        batch-size = 32
        [sharing]
        kind = "%s"
        [evaluation]
        every = %d
        nodes = 1
        samples = 1
        train-loss = false
        [network]
        link = {kind = "shared-bandwidth", latency = "%s", upload = "%s", download = "%s"}
        %s
        """
            .formatted(
                rounds,
                each.nodes,
                Math.min(4, each.nodes - 1),
                each.steps,
                each.sharing,
                rounds / 2,
                each.delay,
                each.rate,
                each.rate,
                each.slow
                    ? "[[override]]\nnodes = \"0\"\ntraining.steps = %d".formatted(4 * each.steps)
                    : ""));
  }

  private static Times run(Experiment experiment) throws IOException {
    Path folder = Files.createTempDirectory("grapevine-fidelity");
    try {
      Path run = folder.resolve("run");
      Outcome outcome = Run.of(experiment).into(run).start().outcome();
      if (outcome.ending() != Outcome.Ending.DONE) {
        throw new IllegalStateException("the run did not end well: " + outcome.reason());
      }
      MetricColumn sent = SavedRun.read(run).metric(Metrics.BYTES_SENT).orElseThrow();
      return new Times(sent.time(0), sent.time(sent.rounds() - 1), experiment.rounds());
    } finally {
      try (Stream<Path> inside = Files.walk(folder)) {
        for (Path file : inside.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }
}
