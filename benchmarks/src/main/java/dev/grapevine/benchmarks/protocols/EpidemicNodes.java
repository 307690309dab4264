package dev.grapevine.benchmarks.protocols;

import dev.grapevine.benchmarks.measure.Memory;
import dev.grapevine.benchmarks.workload.CifarShaped;
import dev.grapevine.benchmarks.workload.Fleet;
import dev.grapevine.benchmarks.workload.Training;
import dev.grapevine.network.LatencyLinks;
import dev.grapevine.network.LinkContext;
import dev.grapevine.protocol.EpidemicLocal;
import dev.grapevine.protocol.Protocol;
import dev.grapevine.runtime.Outcome;
import dev.grapevine.runtime.compute.FixedCompute;
import dev.grapevine.runtime.report.NodeOutcome;
import dev.grapevine.runtime.simulated.SimulatedRuntime;
import java.io.IOException;
import java.time.Duration;

/**
 * EL-Local with training in the simulated runtime. Prints how many nodes finished, seconds of wall
 * time, models received per node and round, and the peak of resident megabytes. Arguments: nodes,
 * rounds, samples.
 */
final class EpidemicNodes {

  private EpidemicNodes() {}

  public static void main(String[] arguments) throws IOException {
    int nodes = Integer.parseInt(arguments[0]);
    int rounds = Integer.parseInt(arguments[1]);
    Training training = Training.gnLenet(CifarShaped.of(Integer.parseInt(arguments[2])));
    SimulatedRuntime runtime =
        new SimulatedRuntime(
            0,
            new FixedCompute(new FixedCompute.Settings(Duration.ofMillis(100))),
            new LatencyLinks(
                new LatencyLinks.Settings(Duration.ofMillis(5), Duration.ofMillis(45), 0),
                new LinkContext(nodes, 1)));
    Outcome outcome =
        Fleet.run(
            runtime,
            Fleet.training(training, nodes)
                .plan(Fleet.regular(nodes, 0), rounds, EpidemicNodes::protocol));
    long finished =
        outcome.nodes().stream()
            .filter(node -> node.status() == NodeOutcome.Status.FINISHED)
            .count();
    double received =
        outcome.nodes().stream().mapToLong(node -> node.traffic().messagesReceived()).sum();
    System.out.printf(
        "%d %s %s %s%n",
        finished,
        outcome.wallTime().toNanos() / 1e9,
        received / nodes / rounds,
        Memory.peakMegabytes());
  }

  private static Protocol protocol() {
    return new EpidemicLocal(
        new EpidemicLocal.Settings(
            4, Duration.ofSeconds(1), true, EpidemicLocal.Sampler.UNIFORM, 20, 1, 9));
  }
}
