package dev.grapevine.benchmarks.peer;

/**
 * What the tutorial sets up: 16 nodes on a 3-regular graph, 3 steps of 8 samples of CIFAR-10 a
 * round, GN-LeNet, messages over TCP.
 *
 * @param nodes how many learn
 * @param rounds how many are run
 * @param data a data set's name
 * @param model a model's name
 */
record Contest(int nodes, int rounds, String data, String model) {

  static final int DEGREE = 3;
  static final int STEPS = 3;
  static final int BATCH = 8;

  /** As an experiment for Grapevine; evaluation is left to the last round and to one sample. */
  String toml() {
    return """
    name = "peer"
    rounds = %d
    [nodes]
    count = %d
    [topology]
    kind = "regular"
    degree = %d
    [data]
    set = "%s"
    [model]
    kind = "%s"
    [training]
    rate = 0.01
    batch-size = %d
    steps = %d
    [evaluation]
    every = %d
    samples = 1
    [network]
    transport = "tcp"
    """
        .formatted(rounds, nodes, DEGREE, data, model, BATCH, STEPS, rounds);
  }
}
