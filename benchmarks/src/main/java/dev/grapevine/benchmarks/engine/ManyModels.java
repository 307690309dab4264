package dev.grapevine.benchmarks.engine;

import dev.grapevine.benchmarks.measure.Memory;
import dev.grapevine.engine.Batch;
import dev.grapevine.engine.Model;
import dev.grapevine.engine.Models;
import dev.grapevine.engine.Workspace;
import java.util.SplittableRandom;

/** Prints the resident megabytes of 1024 GN-LeNet models trained in turn in two workspaces. */
final class ManyModels {

  /** Without a bound the JVM would rather take more memory than collect garbage. */
  static final String HEAP = "-Xmx700m";

  private static final int MODELS = 1024;
  private static final int BATCH = 32;

  private ManyModels() {}

  public static void main(String[] arguments) throws Exception {
    Model model = Models.named("gn-lenet");
    SplittableRandom random = new SplittableRandom(1);
    float[][] vectors = new float[MODELS][model.parameterCount()];
    float[] none = {};
    Workspace[] workspaces = {model.workspace(BATCH), model.workspace(BATCH)};
    float[] gradient = new float[model.parameterCount()];
    Batch batch = Trainee.randomBatch(model, BATCH, random);
    for (int i = 0; i < MODELS; i++) {
      model.initialize(vectors[i], none, random);
      if (i % 64 == 0) {
        workspaces[i / 64 % 2].gradient(vectors[i], none, batch, gradient);
      }
    }
    System.out.println(Memory.residentMegabytes());
    if (vectors[MODELS - 1][0] == 42) {
      System.err.println("keeps the vectors alive");
    }
  }
}
