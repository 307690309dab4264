package dev.grapevine.learning;

import dev.grapevine.engine.Model;
import dev.grapevine.engine.ParameterBlock;
import dev.grapevine.state.State;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The usual learner: a model of the engine, a shard of a data set, an optimizer. */
public final class ModelLearner implements Learner {

  private final Workshop workshop;
  private final TrainingPlan plan;
  private final LocalData data;
  private final Evaluator test;
  private final float[] parameters;
  private final float[] statistics;
  private final float[] optimizerState;
  private final long seed;
  private long steps;

  /**
   * @param parameters where the node starts; the learner owns the array from now on
   * @param statistics the model's running statistics, owned likewise
   * @param data what the node trains on; a server has none
   * @param seed the node's own seed for what is random in the model, such as dropout
   */
  public ModelLearner(
      Workshop workshop,
      TrainingPlan plan,
      LocalData data,
      Evaluator test,
      float[] parameters,
      float[] statistics,
      long seed) {
    this.workshop = workshop;
    this.plan = plan;
    this.data = data;
    this.test = test;
    this.parameters = parameters;
    this.statistics = statistics;
    this.optimizerState = new float[plan.optimizer().stateSize(workshop.model().trainableCount())];
    this.seed = seed;
  }

  @Override
  public float[] parameters() {
    return parameters;
  }

  @Override
  public List<ParameterBlock> blocks() {
    return workshop.model().parameters();
  }

  @Override
  public float[] statistics() {
    return statistics;
  }

  public Model model() {
    return workshop.model();
  }

  /** The node's training data, for schemes that send samples. */
  public LocalData data() {
    return data;
  }

  @Override
  public int samples() {
    return data.samples();
  }

  @Override
  public int[] labelCounts() {
    return data.labelCounts();
  }

  @Override
  public int stepsPerRound() {
    return plan.localSteps().applyAsInt(data.samples());
  }

  @Override
  public double train() {
    if (plan.resetOptimizer()) {
      Arrays.fill(optimizerState, 0f);
    }
    float[] gradient = workshop.own().gradient();
    double loss = 0;
    int count = stepsPerRound();
    for (int step = 0; step < count; step++) {
      Workshop.checkStopped();
      loss += gradient(gradient);
      apply(gradient);
    }
    return loss / count;
  }

  @Override
  public double gradient(float[] gradient) {
    Workshop.Bench bench = workshop.own();
    data.next(bench.batch());
    bench.workspace().seed(seed + steps);
    return bench.workspace().gradient(parameters, statistics, bench.batch(), gradient);
  }

  /** Leaves the running statistics alone, so that a batch counts in them once. */
  @Override
  public double gradientAt(float[] parameters, float[] gradient) {
    Workshop.Bench bench = workshop.own();
    bench.workspace().seed(seed + steps);
    return bench.workspace().gradient(parameters, statistics.clone(), bench.batch(), gradient);
  }

  @Override
  public double rate() {
    return plan.rate() * plan.schedule().factor(steps / Math.max(1, stepsPerRound()));
  }

  @Override
  public void apply(float[] gradient) {
    Model model = workshop.model();
    plan.clipping().apply(gradient, model.trainableCount());
    plan.optimizer()
        .step(parameters, gradient, model.trainableCount(), optimizerState, steps, rate());
    steps++;
  }

  @Override
  public Evaluation test() {
    return evaluate(test);
  }

  /** Evaluates the present parameters on other samples than the test set. */
  public Evaluation evaluate(Evaluator evaluator) {
    return evaluator.evaluate(parameters, statistics);
  }

  /** Evaluates the present parameters on all samples that the node trains on; empty on a server. */
  public Optional<Evaluation> evaluateOnTrainingSet() {
    return data.evaluator(workshop).map(this::evaluate);
  }

  /** What the present parameters say of the test set. */
  public Predictions predictions() {
    return test.predict(parameters, statistics);
  }

  /** Declares all that training changes. */
  public void declare(State state) {
    state.floats("parameters", parameters);
    state.floats("statistics", statistics);
    state.floats("optimizer", optimizerState);
    state.value("steps", () -> steps, saved -> steps = saved);
    data.declare(state.part("data"));
  }
}
