package dev.grapevine.benchmarks.faults;

import dev.grapevine.engine.ParameterBlock;
import dev.grapevine.engine.Safetensors;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;

/** The final models of a run. */
final class SavedModels {

  private SavedModels() {}

  /** The mean of all nodes' models. */
  static double[] mean(Path run, int nodes) {
    try {
      double[] mean = {};
      for (int node = 0; node < nodes; node++) {
        Path file = run.resolve("models").resolve("node-%d.safetensors".formatted(node));
        List<ParameterBlock> blocks = Safetensors.blocks(file);
        float[] values = new float[blocks.stream().mapToInt(ParameterBlock::size).sum()];
        Safetensors.read(file, blocks, values);
        mean = node == 0 ? new double[values.length] : mean;
        for (int i = 0; i < values.length; i++) {
          mean[i] += values[i] / (double) nodes;
        }
      }
      return mean;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
