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
          new Case("gn-lenet", 8, 1.5),
          new Case("gn-lenet", 32, 1.5),
          new Case("femnist-cnn", 16, 1.2),
          new Case("shakespeare-lstm", 8, 2.0),
          new Case("resnet18", 8, 1.2));
}
