package dev.grapevine.benchmarks.rounds;

import dev.grapevine.benchmarks.measure.ProcessorTime;
import dev.grapevine.benchmarks.workload.Fleet;
import dev.grapevine.benchmarks.workload.Training;
import dev.grapevine.network.NetworkSettings.TransportKind;
import dev.grapevine.protocol.DPsgd;
import dev.grapevine.runtime.Plan;
import java.util.concurrent.ExecutionException;

/** Runs rounds of training on all cores and tells what one node's round costs. */
final class RoundCosts {

  /**
   * What one round of one node costs.
   *
   * @param wall seconds by the clock
   * @param processor seconds on processors
   */
  record Cost(double wall, double processor) {}

  private final Training training;

  RoundCosts(Training training) {
    this.training = training;
  }

  /** D-PSGD in the live runtime with memory transport on a random graph of degree 5. */
  Cost dPsgd(int nodes, int rounds) {
    Plan plan = Fleet.training(training, nodes).plan(Fleet.regular(nodes, 0), rounds, DPsgd::new);
    double processor = ProcessorTime.ofProcess();
    long start = System.nanoTime();
    Fleet.run(Fleet.live(TransportKind.MEMORY, 1), plan);
    return cost(start, processor, nodes * rounds);
  }

  /** The same training without nodes. */
  Cost raw(int models, int rounds) throws InterruptedException, ExecutionException {
    RawEngine engine = new RawEngine(training, models);
    double processor = ProcessorTime.ofProcess();
    long start = System.nanoTime();
    engine.run(rounds);
    return cost(start, processor, models * rounds);
  }

  private static Cost cost(long start, double processor, int nodeRounds) {
    return new Cost(
        (System.nanoTime() - start) / 1e9 / nodeRounds,
        (ProcessorTime.ofProcess() - processor) / nodeRounds);
  }
}
