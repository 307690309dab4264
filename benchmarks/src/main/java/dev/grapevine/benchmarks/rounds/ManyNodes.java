package dev.grapevine.benchmarks.rounds;

import dev.grapevine.benchmarks.measure.Memory;
import dev.grapevine.benchmarks.workload.CifarShaped;
import dev.grapevine.benchmarks.workload.Fleet;
import dev.grapevine.benchmarks.workload.Training;
import dev.grapevine.network.NetworkSettings.TransportKind;
import dev.grapevine.protocol.DPsgd;
import java.io.IOException;

/**
 * Prints the peak of resident megabytes of a D-PSGD run with training, on a set of CIFAR-10's size.
 * Arguments: transport, nodes, rounds, samples.
 */
final class ManyNodes {

  private static final int OPEN_LINKS = 4000;

  private ManyNodes() {}

  public static void main(String[] arguments) throws IOException {
    int nodes = Integer.parseInt(arguments[1]);
    Training training = Training.gnLenet(CifarShaped.of(Integer.parseInt(arguments[3])));
    Fleet.run(
        Fleet.live(TransportKind.valueOf(arguments[0]), OPEN_LINKS),
        Fleet.training(training, nodes)
            .plan(Fleet.regular(nodes, 0), Integer.parseInt(arguments[2]), DPsgd::new));
    System.out.println(Memory.peakMegabytes());
  }
}
