package dev.grapevine.launch;

import dev.grapevine.experiment.EvaluationSettings;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.learning.Evaluation;
import dev.grapevine.learning.Evaluator;
import dev.grapevine.learning.Learner;
import dev.grapevine.learning.ModelLearner;
import dev.grapevine.learning.Predictions;
import dev.grapevine.learning.TestMetric;
import dev.grapevine.random.RandomStreams;
import dev.grapevine.results.Metrics;
import dev.grapevine.runtime.report.AverageModel;
import dev.grapevine.runtime.report.Metric;
import dev.grapevine.settings.Choice;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/** Says which models are evaluated when, and evaluates those of this process. */
final class Evaluations {

  private final EvaluationSettings evaluation;
  private final int rounds;
  private final int learners;
  private final int nodes;
  private final BitSet evaluated;
  private final List<TestMetric> testMetrics;
  private final Evaluator test;
  private final Optional<Evaluator> validation;
  private final Assembly assembly;

  Evaluations(Experiment experiment, Assembly assembly) {
    this.evaluation = experiment.evaluation();
    this.rounds = experiment.rounds();
    this.learners = experiment.nodes().count();
    this.nodes = assembly.nodes();
    this.evaluated = evaluated(experiment, nodes);
    this.testMetrics = evaluation.metrics().stream().map(Choice::create).toList();
    this.test = assembly.testEvaluator();
    this.validation = assembly.validationEvaluator();
    this.assembly = assembly;
  }

  /** The nodes that evaluate: all servers, and all or some of the others. */
  private BitSet evaluated(Experiment experiment, int all) {
    BitSet chosen = new BitSet(all);
    int wanted = evaluation.local() ? evaluation.nodes().orElse(learners) : 0;
    for (int node :
        RandomChoice.distinct(
            RandomStreams.of(experiment.seed(), -1, "evaluated nodes"), learners, wanted)) {
      chosen.set(node);
    }
    chosen.set(learners, all);
    return chosen;
  }

  /** The nodes whose figures tell when a round is complete: where there are servers, these. */
  BitSet telling() {
    BitSet telling = (BitSet) evaluated.clone();
    if (nodes > learners) {
      telling.clear(0, learners);
    }
    return telling;
  }

  /** Whether there are samples held out to judge models by. */
  boolean validates() {
    return validation.isPresent();
  }

  /** The loss of a model that has learned nothing. */
  double blindLoss() {
    return test.blindLoss();
  }

  boolean evaluationDue(int node, int round) {
    return evaluated.get(node) && evaluation.due(round, rounds);
  }

  List<Metric> evaluate(int node, Learner learner) {
    List<Metric> figures = new ArrayList<>(6);
    // The last of a node's figures tells that all are there: see record.
    if (evaluation.trainingSet()) {
      own(node)
          .evaluateOnTrainingSet()
          .ifPresent(result ->
              add(
                  figures,
                  Metrics.TRAINING_SET_ACCURACY,
                  Metrics.TRAINING_SET_R2,
                  Metrics.TRAINING_SET_LOSS,
                  result));
    }
    validation.ifPresent(samples ->
        add(
            figures,
            Metrics.VALIDATION_ACCURACY,
            Metrics.VALIDATION_R2,
            Metrics.VALIDATION_LOSS,
            own(node).evaluate(samples)));
    if (!testMetrics.isEmpty()) {
      Predictions predictions = own(node).predictions();
      for (TestMetric metric : testMetrics) {
        metric.of(predictions).forEach((name, value) -> figures.add(new Metric(name, value)));
      }
    }
    add(figures, Metrics.TEST_ACCURACY, Metrics.TEST_R2, Metrics.TEST_LOSS, learner.test());
    return figures;
  }

  /** Takes figures of models as they start. */
  interface Start {
    void figure(int node, Metric figure);
  }

  /** What the models of this process are worth as they start, where the experiment asks for it. */
  void beforeTraining(Start start) {
    if (evaluation.before()) {
      assembly
          .learners()
          .forEach((node, learner) -> {
            if (evaluated.get(node)) {
              evaluate(node, learner).forEach(figure -> start.figure(node, figure));
            }
          });
    }
  }

  private static void add(
      List<Metric> figures, String accuracy, String rSquared, String loss, Evaluation evaluation) {
    if (!Double.isNaN(evaluation.accuracy())) {
      figures.add(new Metric(accuracy, evaluation.accuracy()));
    }
    if (!Double.isNaN(evaluation.rSquared())) {
      figures.add(new Metric(rSquared, evaluation.rSquared()));
    }
    figures.add(new Metric(loss, evaluation.loss()));
  }

  boolean averageDue(int node, int round) {
    return node < learners
        && (evaluation.averageModel() || evaluation.consensus())
        && evaluation.due(round, rounds);
  }

  List<Metric> evaluateAverage(AverageModel average) {
    List<Metric> figures = new ArrayList<>(3);
    if (evaluation.consensus()) {
      figures.add(new Metric(Metrics.CONSENSUS_DISTANCE, average.consensusDistance()));
    }
    if (evaluation.averageModel()) {
      Evaluation result = test.evaluate(average.parameters(), average.statistics());
      add(figures, Metrics.AVERAGE_ACCURACY, Metrics.AVERAGE_R2, Metrics.AVERAGE_LOSS, result);
    }
    return figures;
  }

  private ModelLearner own(int node) {
    ModelLearner learner = assembly.learners().get(node);
    if (learner == null) {
      throw new IllegalArgumentException("node %d is not in this process".formatted(node));
    }
    return learner;
  }
}
