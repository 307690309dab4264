package dev.grapevine.app.reproduce;

import dev.grapevine.engine.Batch;
import dev.grapevine.engine.Model;
import dev.grapevine.engine.Models;
import dev.grapevine.engine.Workspace;
import dev.grapevine.experiment.EvaluationSettings;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.experiment.TrainingSettings;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * What experiments will take on this machine, from mini-batches of their models that were really
 * trained here. Needs no data: time does not depend on what a sample holds. Sharing, waiting and
 * what else the machine does are not in it.
 */
final class Cost {

  /** By then the compiler has done its work; before, vector kernels are a hundred times slower. */
  private static final double SECONDS_EACH = 2;

  /** However slow it is, a model is not judged by its first steps. */
  private static final int LEAST_STEPS = 12;

  /** A training step goes forward once and backward at the price of two. */
  private static final double EVALUATION_SHARE = 1.0 / 3;

  private final Map<List<Object>, Double> secondsOfStep = new HashMap<>();

  /** Wall time of all the experiments, one after the other, on all cores. */
  Duration of(List<Experiment> experiments, int samples) {
    double seconds = 0;
    for (Experiment experiment : experiments) {
      seconds += seconds(experiment, samples);
    }
    return Duration.ofMillis((long) (1e3 * seconds));
  }

  private double seconds(Experiment experiment, int samples) {
    TrainingSettings training = experiment.training();
    EvaluationSettings evaluation = experiment.evaluation();
    int nodes = experiment.nodes().count();
    int rounds = experiment.rounds();
    int batch = training.batchSize();
    double step =
        secondsOfStep.computeIfAbsent(
            List.of(experiment.model().name(), batch),
            key -> measure(key.get(0).toString(), batch));
    double steps = (double) rounds * nodes * training.localSteps(samples / nodes, samples, nodes);
    long times = IntStream.range(0, rounds).filter(at -> evaluation.due(at, rounds)).count();
    // A test set is a fifth of the training set or less, with all sets that are used here.
    double evaluated =
        (double) times
            * Math.min(nodes, evaluation.nodes().orElse(nodes))
            * evaluation.samples().orElse(samples / 5);
    double work = steps + EVALUATION_SHARE * evaluated / batch;
    return step * work / Math.min(nodes, Runtime.getRuntime().availableProcessors());
  }

  /** Processor seconds of one mini-batch, once the compiler has done its work. */
  private static double measure(String name, int batchSize) {
    Model model = Models.named(name);
    float[] parameters = new float[model.parameterCount()];
    float[] statistics = new float[model.statisticsCount()];
    model.initialize(parameters, statistics, new SplittableRandom(1));
    float[] gradient = new float[parameters.length];
    Workspace workspace = model.workspace(batchSize);
    Batch batch = new Batch(batchSize, model.inputSize(), model.targetSize());
    batch.resize(batchSize);
    Random random = new Random(1);
    for (int i = 0; i < batch.inputs().length; i++) {
      // Zero and one are valid as quantities and as ids alike.
      batch.inputs()[i] = random.nextInt(2);
    }
    double best = Double.POSITIVE_INFINITY;
    double begun = processorSeconds();
    double before = begun;
    int steps = 0;
    do {
      workspace.gradient(parameters, statistics, batch, gradient);
      double now = processorSeconds();
      best = Math.min(best, now - before);
      before = now;
      steps++;
    } while (before - begun < SECONDS_EACH || steps < LEAST_STEPS);
    return best;
  }

  private static double processorSeconds() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() / 1e9;
  }
}
