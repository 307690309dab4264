package dev.grapevine.launch;

import dev.grapevine.experiment.EvaluationSettings;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.runtime.live.LiveRuntime;
import dev.grapevine.runtime.simulated.SimulatedRuntime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/**
 * What a run will take, from a step that was really trained and samples that were really evaluated
 * on this machine, on as many threads as the run will have. Waiting for others and sharing are not
 * in it, so that it is rather too low than too high.
 *
 * @param training the part of the wall time that training takes
 * @param evaluating the part that evaluation takes
 * @param evaluatedNodes how many nodes evaluate each time
 * @param evaluatedSamples how many samples each of them looks at
 * @param memoryBytes what the process will hold, roughly
 * @param bytesSent by one node; empty where that depends on what the protocol decides on its way
 * @param adviceKey a setting of the experiment that would shorten it much; empty if there is none
 * @param adviceTime how long it would take then
 */
public record Forecast(
    Duration training,
    Duration evaluating,
    int evaluatedNodes,
    int evaluatedSamples,
    long memoryBytes,
    OptionalLong bytesSent,
    String adviceKey,
    Duration adviceTime) {

  /** Runs that are shorter than this are over before one has read a forecast of them. */
  private static final Duration SHORT = Duration.ofSeconds(20);

  private static final int FEW_NODES = 16;
  private static final int FEW_SAMPLES = 1000;

  /** Wall time of the whole run. */
  public Duration time() {
    return training.plus(evaluating);
  }

  /**
   * A forecast of a run that is not going to begin now; only a part of its nodes is built. Empty
   * when a node cannot be trained, or the measurement was interrupted.
   */
  public static Optional<Forecast> of(Experiment experiment, Path dataDirectory) {
    Assembly assembly = Assembly.ofFirstNode(experiment, dataDirectory);
    return of(experiment, assembly, MeasuredStep.of(assembly, threads(experiment), true));
  }

  /** A forecast of a run that is about to begin; empty also when it is short. */
  static Optional<Forecast> of(Experiment experiment, Assembly assembly) {
    int threads = threads(experiment);
    // The first step is the slowest: when even that promises a short run, nothing is to be said.
    MeasuredStep first = MeasuredStep.of(assembly, threads, false);
    Work work = Work.of(experiment, assembly);
    if (!first.isKnown() || first.time(work).compareTo(SHORT) < 0) {
      return Optional.empty();
    }
    return of(experiment, assembly, MeasuredStep.of(assembly, threads, true))
        .filter(forecast -> forecast.time().compareTo(SHORT) >= 0);
  }

  private static Optional<Forecast> of(
      Experiment experiment, Assembly assembly, MeasuredStep step) {
    return step.isKnown() ? Optional.of(forecast(experiment, assembly, step)) : Optional.empty();
  }

  /**
   * How much there is to do.
   *
   * @param rounds of all nodes together
   * @param evaluations of all nodes together
   * @param samples in one of them
   */
  record Work(double rounds, double evaluations, int samples) {

    static Work of(Experiment experiment, Assembly assembly) {
      EvaluationSettings evaluation = experiment.evaluation();
      int rounds = experiment.rounds();
      int nodes = experiment.nodes().count();
      long times = IntStream.range(0, rounds).filter(at -> evaluation.due(at, rounds)).count();
      int each = Math.min(nodes, evaluation.nodes().orElse(nodes));
      int average = evaluation.averageModel() ? 1 : 0;
      return new Work(
          (double) nodes * rounds, (double) times * (each + average), assembly.evaluatedSamples());
    }

    Work withEvaluations(double evaluations) {
      return new Work(rounds, evaluations, samples);
    }

    Work withSamples(int samples) {
      return new Work(rounds, evaluations, samples);
    }
  }

  private static Forecast forecast(Experiment experiment, Assembly assembly, MeasuredStep step) {
    Work work = Work.of(experiment, assembly);
    int nodes = experiment.nodes().count();
    int evaluated = Math.min(nodes, experiment.evaluation().nodes().orElse(nodes));
    OptionalLong message = assembly.messageBytes();
    int degree = assembly.topology().neighbours(0, 0).degree();
    String key = "";
    Work less = work;
    if (step.evaluating(work).compareTo(step.training(work)) > 0) {
      if (evaluated > FEW_NODES) {
        key = "evaluation.nodes=" + FEW_NODES;
        less = work.withEvaluations(work.evaluations() / evaluated * FEW_NODES);
      } else if (work.samples() > FEW_SAMPLES) {
        key = "evaluation.samples=" + FEW_SAMPLES;
        less = work.withSamples(FEW_SAMPLES);
      }
    }
    return new Forecast(
        step.training(work),
        step.evaluating(work),
        evaluated,
        work.samples(),
        memory(assembly, nodes, message.orElse(0)),
        // Only where every node speaks to every neighbour in every round is it known beforehand.
        message.isPresent() && experiment.protocol().name().equals("d-psgd")
            ? OptionalLong.of(message.getAsLong() * degree * experiment.rounds())
            : OptionalLong.empty(),
        key,
        step.time(less));
  }

  /** What is held now, the nodes that are not built yet, and a message of each on its way. */
  private static long memory(Assembly assembly, int nodes, long message) {
    long missing = nodes - assembly.learners().size();
    return ProcessMemory.residentBytes()
        + Math.max(0, missing) * assembly.bytesOfNode()
        + nodes * message;
  }

  private static int threads(Experiment experiment) {
    int wanted =
        switch (experiment.runtime().settings()) {
          case LiveRuntime.Settings live -> live.threads();
          case SimulatedRuntime.Settings simulated -> simulated.threads();
          default -> 0;
        };
    int threads = wanted == 0 ? Runtime.getRuntime().availableProcessors() : wanted;
    return Math.min(threads, experiment.nodes().count());
  }
}
