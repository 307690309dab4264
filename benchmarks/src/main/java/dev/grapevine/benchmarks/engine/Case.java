package dev.grapevine.benchmarks.engine;

import java.util.List;

/**
 * A model with a batch size.
 *
 * @param target the ratio to PyTorch that the project wants to reach, one thread, training
 */
record Case(String model, int batch, double target) {

  static final List<Case> ALL =
      List.of(
          new Case("gn-lenet", 8, 2.7),
          new Case("gn-lenet", 32, 2.7),
          new Case("femnist-cnn", 16, 1.8),
          new Case("shakespeare-lstm", 8, 2.3),
          new Case("resnet18", 8, 1.7));
}
