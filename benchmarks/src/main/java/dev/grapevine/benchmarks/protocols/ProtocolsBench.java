package dev.grapevine.benchmarks.protocols;

import dev.grapevine.benchmarks.Benchmark;
import dev.grapevine.benchmarks.measure.ChildJvm;
import dev.grapevine.benchmarks.measure.Median;
import dev.grapevine.benchmarks.measure.Memory;
import dev.grapevine.benchmarks.measure.ProcessorTime;
import dev.grapevine.benchmarks.report.Figure;
import dev.grapevine.benchmarks.report.Output;
import dev.grapevine.benchmarks.report.Report;
import dev.grapevine.benchmarks.report.Table;
import dev.grapevine.benchmarks.workload.CifarShaped;
import dev.grapevine.benchmarks.workload.Fleet;
import dev.grapevine.benchmarks.workload.Training;
import dev.grapevine.network.NetworkSettings.TransportKind;
import dev.grapevine.protocol.DPsgd;
import dev.grapevine.runtime.Plan;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code grapevine bench protocols}. */
@Command(
    name = "protocols",
    description = "Neighbours that change every round, and epidemic learning with 1024 nodes.",
    mixinStandardHelpOptions = true)
public final class ProtocolsBench implements Benchmark, Callable<Integer> {

  private static final String HEAP = "-Xmx3g";

  /**
   * How much is measured.
   *
   * @param exchanges rounds without training
   * @param links open TCP links: fewer than neighbours, so that links are closed and opened
   */
  private record Sizes(
      int samples,
      int nodes,
      int rounds,
      int slices,
      int exchanges,
      int links,
      int epidemicNodes,
      int epidemicRounds) {

    static final Sizes FULL = new Sizes(2000, 256, 2, 5, 20, 100, 1024, 2);
    static final Sizes QUICK = new Sizes(100, 4, 1, 1, 2, 3, 8, 1);
  }

  /** Seconds of one round, by the clock and on processors. */
  private record Cost(double wall, double processor) {}

  @Mixin private Output output;

  @Option(
      names = "--quick",
      description = "Few nodes and rounds: shows that it works, the figures mean little.")
  private boolean quick;

  @Override
  public Integer call() throws Exception {
    Sizes sizes = quick ? Sizes.QUICK : Sizes.FULL;
    Report report = new Report("protocols");
    Training training = Training.gnLenet(CifarShaped.of(sizes.samples));
    Table table =
        report.table(
            "redrawing",
            "A round of D-PSGD with %d nodes, 5-regular".formatted(sizes.nodes),
            "round",
            "static ms",
            "redrawn ms",
            "static processor ms",
            "redrawn processor ms");
    compare(
        "with training",
        sizes,
        sizes.rounds,
        () -> Fleet.training(training, sizes.nodes),
        table,
        report);
    compare("exchange only", sizes, sizes.exchanges, () -> Fleet.idle(sizes.nodes), table, report);
    descriptors(sizes, report);
    epidemic(sizes, report);
    output.print(report);
    return 0;
  }

  private void compare(
      String what, Sizes sizes, int rounds, Supplier<Fleet> fleet, Table table, Report report) {
    output.progress("static and redrawn topology, %d nodes, %s ...", sizes.nodes, what);
    cost(fleet.get(), sizes.nodes, rounds, 0);
    double[][] readings = new double[4][sizes.slices];
    double[] byClock = new double[sizes.slices];
    double[] byProcessor = new double[sizes.slices];
    for (int slice = 0; slice < sizes.slices; slice++) {
      // Which goes first alternates, so that a machine that slows down favours neither.
      int firstRedraw = slice % 2;
      Cost first = cost(fleet.get(), sizes.nodes, rounds, firstRedraw);
      Cost second = cost(fleet.get(), sizes.nodes, rounds, 1 - firstRedraw);
      Cost fixed = firstRedraw == 0 ? first : second;
      Cost redrawn = firstRedraw == 0 ? second : first;
      readings[0][slice] = fixed.wall * 1e3;
      readings[1][slice] = redrawn.wall * 1e3;
      readings[2][slice] = fixed.processor * 1e3;
      readings[3][slice] = redrawn.processor * 1e3;
      byClock[slice] = 100 * (redrawn.wall / fixed.wall - 1);
      byProcessor[slice] = 100 * (redrawn.processor / fixed.processor - 1);
    }
    table.row(
        what,
        Median.of(readings[0]),
        Median.of(readings[1]),
        Median.of(readings[2]),
        Median.of(readings[3]));
    String name = "redrawing every round, " + what + ": dearer by";
    Figure extra = Figure.of(name, Median.of(byClock), "%");
    report.figure(what.equals("with training") ? extra.atMost(5) : extra);
    report.figure(Figure.of(name + ", by processor time", Median.of(byProcessor), "%"));
  }

  private static Cost cost(Fleet fleet, int nodes, int rounds, int redrawEvery) {
    Plan plan = fleet.plan(Fleet.regular(nodes, redrawEvery), rounds, DPsgd::new);
    double processor = ProcessorTime.ofProcess();
    long start = System.nanoTime();
    Fleet.run(Fleet.live(TransportKind.MEMORY, 1), plan);
    return new Cost(
        (System.nanoTime() - start) / 1e9 / rounds,
        (ProcessorTime.ofProcess() - processor) / rounds);
  }

  private void descriptors(Sizes sizes, Report report) throws IOException {
    output.progress("TCP with changing neighbours ...");
    Runnable run =
        () ->
            Fleet.run(
                Fleet.live(TransportKind.TCP, sizes.links),
                Fleet.idle(sizes.nodes)
                    .plan(Fleet.regular(sizes.nodes, 1), sizes.exchanges, DPsgd::new));
    // The first run loads what stays open: classes, selectors.
    run.run();
    double before = Memory.descriptors();
    run.run();
    report.figure(
        Figure.of(
                "descriptors left by TCP, neighbours redrawn %d times".formatted(sizes.exchanges),
                Memory.descriptors() - before,
                "")
            .atMost(0));
  }

  private void epidemic(Sizes sizes, Report report) throws Exception {
    int nodes = sizes.epidemicNodes;
    output.progress("EL-Local with %d nodes ...", nodes);
    double[] answer =
        new ChildJvm(EpidemicNodes.class, HEAP).run(nodes, sizes.epidemicRounds, sizes.samples);
    String name = "EL-Local, %d nodes, %d rounds, one JVM: ".formatted(nodes, sizes.epidemicRounds);
    report.figure(Figure.of(name + "nodes finished", answer[0], "").atLeast(nodes));
    report.figure(Figure.of(name + "wall time", answer[1], "s"));
    report.figure(Figure.of(name + "models a node and round", answer[2], ""));
    report.figure(Figure.of(name + "peak resident, " + HEAP, answer[3], "MiB"));
  }
}
