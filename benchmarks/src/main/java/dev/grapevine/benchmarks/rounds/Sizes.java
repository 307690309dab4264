package dev.grapevine.benchmarks.rounds;

import java.util.List;

/**
 * How much is measured.
 *
 * @param samples pictures in the training set
 * @param nodes nodes of the overhead and message figures
 * @param rounds rounds of one slice of the overhead figure
 * @param turns how often D-PSGD and the raw engine take turns
 * @param slices how often the messages are measured
 * @param scales the growing numbers of nodes
 * @param passes how often all of them are run
 * @param memoryRounds rounds in the JVMs whose memory is read
 * @param memorySamples pictures there
 * @param messageRounds rounds of one reading of the message path
 */
record Sizes(
    int samples,
    int nodes,
    int rounds,
    int turns,
    int slices,
    List<Scale> scales,
    int passes,
    int memoryRounds,
    int memorySamples,
    int messageRounds,
    int simulatedNodes,
    int simulatedRounds) {

  /** A number of nodes, with rounds that take a few seconds on two cores, but never one only. */
  record Scale(int nodes, int rounds) {}

  static final Sizes FULL =
      new Sizes(
          2000,
          16,
          10,
          15,
          7,
          List.of(new Scale(16, 24), new Scale(64, 6), new Scale(256, 2), new Scale(1024, 2)),
          4,
          2,
          50_000,
          200,
          10_000,
          30);

  static final Sizes QUICK =
      new Sizes(100, 4, 1, 1, 1, List.of(new Scale(4, 1), new Scale(8, 1)), 1, 1, 100, 2, 100, 4);
}
