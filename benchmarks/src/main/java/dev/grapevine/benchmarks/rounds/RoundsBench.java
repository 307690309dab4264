package dev.grapevine.benchmarks.rounds;

import dev.grapevine.benchmarks.Benchmark;
import dev.grapevine.benchmarks.measure.ChildJvm;
import dev.grapevine.benchmarks.measure.Median;
import dev.grapevine.benchmarks.report.Figure;
import dev.grapevine.benchmarks.report.Output;
import dev.grapevine.benchmarks.report.Report;
import dev.grapevine.benchmarks.report.Table;
import dev.grapevine.benchmarks.workload.CifarShaped;
import dev.grapevine.benchmarks.workload.Training;
import dev.grapevine.network.NetworkSettings.TransportKind;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.DoubleStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code grapevine bench rounds}. */
@Command(
    name = "rounds",
    description =
        "What a round costs besides its training: overhead, scaling to 1024 nodes, memory, messages.",
    mixinStandardHelpOptions = true)
public final class RoundsBench implements Benchmark, Callable<Integer> {

  private static final double MEMORY_TARGET = 3 * 1024;
  private static final double TCP_TARGET = 4 * 1024;

  @Mixin private Output output;

  @Option(
      names = "--quick",
      description = "Few nodes and rounds: shows that it works, the figures mean little.")
  private boolean quick;

  @Override
  public Integer call() throws Exception {
    Sizes sizes = quick ? Sizes.QUICK : Sizes.FULL;
    Report report = new Report("rounds");
    Training training = Training.gnLenet(CifarShaped.of(sizes.samples()));
    overhead(sizes, new RoundCosts(training), report);
    scaling(sizes, new RoundCosts(training), report);
    memory(sizes, report);
    messages(sizes, report);
    simulated(sizes, report);
    output.print(report);
    return 0;
  }

  private void overhead(Sizes sizes, RoundCosts costs, Report report) throws Exception {
    output.progress("D-PSGD against the raw engine, %d nodes ...", sizes.nodes());
    Table table =
        report.table(
            "overhead",
            "Node-steps per second, GN-LeNet, %d nodes, %d steps of %d a round"
                .formatted(sizes.nodes(), Training.STEPS, Training.BATCH),
            "slice",
            "d-psgd",
            "raw engine",
            "ratio %",
            "ratio % by processor time");
    costs.dPsgd(sizes.nodes(), sizes.rounds());
    costs.raw(sizes.nodes(), sizes.rounds());
    double[] byClock = new double[sizes.turns()];
    double[] byProcessor = new double[sizes.turns()];
    for (int slice = 0; slice < sizes.turns(); slice++) {
      // Which goes first alternates, so that a machine that slows down favours neither.
      RoundCosts.Cost first = slice % 2 == 0 ? costs.dPsgd(sizes.nodes(), sizes.rounds()) : null;
      RoundCosts.Cost raw = costs.raw(sizes.nodes(), sizes.rounds());
      RoundCosts.Cost dPsgd = first != null ? first : costs.dPsgd(sizes.nodes(), sizes.rounds());
      byClock[slice] = 100 * raw.wall() / dPsgd.wall();
      byProcessor[slice] = 100 * raw.processor() / dPsgd.processor();
      table.row(
          slice + 1,
          Training.STEPS / dPsgd.wall(),
          Training.STEPS / raw.wall(),
          byClock[slice],
          byProcessor[slice]);
    }
    report.figure(
        Figure.of("D-PSGD's node-steps/s against the raw engine", Median.of(byClock), "%")
            .atLeast(92));
    report.figure(
        Figure.of("D-PSGD against the raw engine, by processor time", Median.of(byProcessor), "%"));
  }

  /**
   * The machine's own swings, which last from seconds to minutes, exceed what is looked for. So
   * every reading is set against those of the smallest number of nodes just before and after it.
   */
  private void scaling(Sizes sizes, RoundCosts costs, Report report) {
    Sizes.Scale smallest = sizes.scales().getFirst();
    List<Sizes.Scale> larger = sizes.scales().subList(1, sizes.scales().size());
    double[][] wall = new double[larger.size()][sizes.passes()];
    double[][] processor = new double[larger.size()][sizes.passes()];
    RoundCosts.Cost before = cost(costs, smallest);
    for (int pass = 0; pass < sizes.passes(); pass++) {
      for (int i = 0; i < larger.size(); i++) {
        RoundCosts.Cost cost = cost(costs, larger.get(i));
        RoundCosts.Cost after = cost(costs, smallest);
        wall[i][pass] = 200 * cost.wall() / (before.wall() + after.wall());
        processor[i][pass] = 200 * cost.processor() / (before.processor() + after.processor());
        before = after;
      }
    }
    Table table =
        report.table(
            "scaling",
            "Cost of one node's round against that with %d nodes, 5-regular, memory transport"
                .formatted(smallest.nodes()),
            "nodes",
            "rounds",
            "wall %",
            "processor %");
    for (int i = 0; i < larger.size(); i++) {
      Sizes.Scale scale = larger.get(i);
      table.row(scale.nodes(), scale.rounds(), Median.of(wall[i]), Median.of(processor[i]));
    }
    String name =
        "a node's round, dearest over cheapest of %d to %d nodes"
            .formatted(smallest.nodes(), larger.getLast().nodes());
    report.figure(Figure.of(name, spread(wall), "%").atMost(15));
    report.figure(Figure.of(name + ", by processor time", spread(processor), "%"));
  }

  private RoundCosts.Cost cost(RoundCosts costs, Sizes.Scale scale) {
    output.progress("D-PSGD with %d nodes ...", scale.nodes());
    return costs.dPsgd(scale.nodes(), scale.rounds());
  }

  /** By how many percent the dearest number of nodes is above the cheapest. */
  private static double spread(double[][] percent) {
    double[] all =
        DoubleStream.concat(DoubleStream.of(100), Arrays.stream(percent).mapToDouble(Median::of))
            .toArray();
    return 100
        * (Arrays.stream(all).max().orElseThrow() / Arrays.stream(all).min().orElseThrow() - 1);
  }

  private void memory(Sizes sizes, Report report) throws Exception {
    for (TransportKind transport : TransportKind.values()) {
      int nodes = sizes.scales().getLast().nodes();
      output.progress("memory of %d nodes, %s transport ...", nodes, name(transport));
      // Without a bound the JVM would rather take more memory than collect garbage.
      String heap = transport == TransportKind.MEMORY ? "-Xmx2500m" : "-Xmx3g";
      double megabytes =
          new ChildJvm(ManyNodes.class, heap)
              .run(transport, nodes, sizes.memoryRounds(), sizes.memorySamples())[0];
      report.figure(
          Figure.of(
                  "%d nodes, %s, %s: peak resident".formatted(nodes, name(transport), heap),
                  megabytes,
                  "MiB")
              .atMost(transport == TransportKind.MEMORY ? MEMORY_TARGET : TCP_TARGET));
    }
  }

  private static String name(TransportKind transport) {
    return transport.name().toLowerCase(Locale.ROOT);
  }

  private void messages(Sizes sizes, Report report) {
    Table table =
        report.table(
            "message_path",
            "Dense models of 0.36 MB encoded, carried and merged, %d nodes"
                .formatted(sizes.nodes()),
            "transport",
            "GB/s",
            "GB per processor second");
    for (TransportKind transport : TransportKind.values()) {
      output.progress("message path, %s transport ...", name(transport));
      double[] wall = new double[sizes.slices()];
      double[] processor = new double[sizes.slices()];
      for (int slice = 0; slice < sizes.slices(); slice++) {
        MessagePath path = MessagePath.measure(transport, sizes.nodes(), sizes.messageRounds());
        wall[slice] = path.perSecond();
        processor[slice] = path.perProcessorSecond();
      }
      table.row(name(transport), Median.ofLate(wall), Median.ofLate(processor));
      if (transport == TransportKind.TCP) {
        report.figure(
            Figure.of("message path through TCP loopback", Median.ofLate(wall), "GB/s").atLeast(2));
      }
    }
  }

  private void simulated(Sizes sizes, Report report) throws Exception {
    int nodes = sizes.simulatedNodes();
    Table table =
        report.table(
            "simulated",
            "Simulated runtime without training, %,d nodes of degree 5".formatted(nodes),
            "links",
            "messages/s",
            "messages per processor second",
            "bytes a node");
    for (String links : List.of("latency", "bandwidth")) {
      boolean limited = links.equals("bandwidth");
      String name = limited ? "shared bandwidth" : "latency only";
      output.progress("simulated messages, %s ...", name);
      double[] figures =
          new ChildJvm(SimulatedMessages.class)
              .run(links, nodes, sizes.simulatedRounds(), sizes.slices());
      table.row(name, figures[0], figures[1], figures[2]);
      report.figure(
          Figure.of("simulated messages, " + name, figures[0], "a second")
              .atLeast(limited ? 500_000 : 1_000_000));
      report.figure(
          Figure.of("heap of a simulated node, " + name, figures[2], "bytes").atMost(4096));
    }
  }
}
