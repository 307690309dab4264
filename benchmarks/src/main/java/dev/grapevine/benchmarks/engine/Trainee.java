package dev.grapevine.benchmarks.engine;

import dev.grapevine.engine.Batch;
import dev.grapevine.engine.Model;
import dev.grapevine.engine.Models;
import dev.grapevine.engine.Workspace;
import java.util.SplittableRandom;

/** A model with parameters, a random batch and a workspace, ready to step. */
final class Trainee {

  private final Model model;
  private final float[] parameters;
  private final float[] statistics;
  private final float[] gradient;
  private final float[] outputs;
  private final Batch batch;
  private final Workspace workspace;

  Trainee(String name, int batchSize) {
    model = Models.named(name);
    SplittableRandom random = new SplittableRandom(1);
    parameters = new float[model.parameterCount()];
    statistics = new float[model.statisticsCount()];
    gradient = new float[parameters.length];
    outputs = new float[batchSize * model.outputSize()];
    model.initialize(parameters, statistics, random);
    batch = randomBatch(model, batchSize, random);
    workspace = model.workspace(batchSize);
  }

  static Batch randomBatch(Model model, int size, SplittableRandom random) {
    Batch batch = new Batch(size, model.inputSize(), model.targetSize());
    batch.resize(size);
    boolean ids = model.inputShape().length == 1;
    for (int i = 0; i < batch.inputs().length; i++) {
      batch.inputs()[i] = ids ? random.nextInt(80) : (float) random.nextGaussian();
    }
    for (int i = 0; i < batch.targets().length; i++) {
      batch.targets()[i] = random.nextInt(model.outputSize());
    }
    return batch;
  }

  Model model() {
    return model;
  }

  void run(Contender.Work work) {
    switch (work) {
      case TRAIN -> workspace.gradient(parameters, statistics, batch, gradient);
      case FORWARD -> workspace.forward(parameters, statistics, batch, outputs);
    }
  }
}
