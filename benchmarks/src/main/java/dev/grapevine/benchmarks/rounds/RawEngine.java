package dev.grapevine.benchmarks.rounds;

import dev.grapevine.benchmarks.workload.Training;
import dev.grapevine.engine.Batch;
import dev.grapevine.engine.Model;
import dev.grapevine.engine.Optimizer;
import dev.grapevine.engine.Sgd;
import dev.grapevine.engine.Workspace;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * The least that training so many models can cost: gradients and optimizer steps of the engine, the
 * models in turn, batches filled beforehand, no nodes and no messages.
 */
final class RawEngine {

  private final Training training;
  private final float[][] parameters;

  RawEngine(Training training, int models) {
    this.training = training;
    this.parameters = new float[models][];
    for (int i = 0; i < models; i++) {
      parameters[i] = training.start();
    }
  }

  /** Trains each model for so many rounds on all cores. */
  void run(int rounds) throws InterruptedException, ExecutionException {
    int threads = Runtime.getRuntime().availableProcessors();
    AtomicInteger next = new AtomicInteger();
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      List<Future<?>> running = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        running.add(pool.submit(() -> work(next, rounds * parameters.length)));
      }
      for (Future<?> future : running) {
        future.get();
      }
    }
  }

  private void work(AtomicInteger next, int tasks) {
    Model model = training.model();
    Workspace workspace = model.workspace(Training.CAPACITY);
    Optimizer optimizer = new Sgd();
    float[] gradient = new float[model.parameterCount()];
    float[] statistics = new float[model.statisticsCount()];
    float[] state = new float[optimizer.stateSize(model.trainableCount())];
    Batch batch = training.data().batch(Training.CAPACITY);
    training.data().fill(IntStream.range(0, Training.BATCH).toArray(), 0, Training.BATCH, batch);
    for (int task = next.getAndIncrement(); task < tasks; task = next.getAndIncrement()) {
      float[] own = parameters[task % parameters.length];
      for (int step = 0; step < Training.STEPS; step++) {
        workspace.gradient(own, statistics, batch, gradient);
        optimizer.step(own, gradient, model.trainableCount(), state, step, Training.RATE);
      }
    }
  }
}
