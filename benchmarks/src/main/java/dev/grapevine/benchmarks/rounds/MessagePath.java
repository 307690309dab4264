package dev.grapevine.benchmarks.rounds;

import dev.grapevine.benchmarks.measure.ProcessorTime;
import dev.grapevine.benchmarks.workload.Fleet;
import dev.grapevine.network.NetworkSettings.TransportKind;
import dev.grapevine.protocol.DPsgd;
import dev.grapevine.runtime.Outcome;
import dev.grapevine.runtime.Plan;

/**
 * How fast dense models of 0.36 MB get from node to node: encoded, sent, received and merged, in
 * D-PSGD without training.
 *
 * @param perSecond gigabytes of payload delivered and merged per second of wall time
 * @param perProcessorSecond the same per second of processor time
 */
record MessagePath(double perSecond, double perProcessorSecond) {

  private static final int OPEN_LINKS = 4000;

  static MessagePath measure(TransportKind transport, int nodes, int rounds) {
    Plan plan = Fleet.idle(nodes).plan(Fleet.regular(nodes, 0), rounds, DPsgd::new);
    double before = ProcessorTime.ofProcess();
    Outcome outcome = Fleet.run(Fleet.live(transport, OPEN_LINKS), plan);
    double processor = ProcessorTime.ofProcess() - before;
    double gigabytes =
        outcome.nodes().stream().mapToLong(node -> node.traffic().payloadReceived()).sum() / 1e9;
    return new MessagePath(gigabytes / (outcome.wallTime().toNanos() / 1e9), gigabytes / processor);
  }
}
