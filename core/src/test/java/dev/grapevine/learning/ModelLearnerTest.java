package dev.grapevine.learning;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.data.DataContext;
import dev.grapevine.data.DataSet;
import dev.grapevine.data.DataSource;
import dev.grapevine.engine.GradientClipping;
import dev.grapevine.engine.Model;
import dev.grapevine.engine.RateSchedule;
import dev.grapevine.engine.Sgd;
import dev.grapevine.settings.Registry;
import dev.grapevine.state.State;
import java.nio.file.Path;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ModelLearnerTest {

  private static final DataSet DATA =
      Registry.load()
          .choose(DataSource.FAMILY, "blobs", "")
          .create(new DataContext(Path.of(""), 1, Path.of("")))
          .load()
          .train();

  private static ModelLearner learner(boolean resetOptimizer) {
    Model model = Model.flat("tiny", DATA.inputSize()).linear(DATA.classes()).crossEntropy();
    float[] parameters = new float[model.parameterCount()];
    model.initialize(parameters, new float[0], new SplittableRandom(5));
    Workshop workshop = new Workshop(model, 32);
    int[] all = IntStream.range(0, DATA.size()).toArray();
    return new ModelLearner(
        workshop,
        new TrainingPlan(
            new Sgd(0.9, false, 0),
            0.05,
            new RateSchedule.Constant(),
            new GradientClipping.None(),
            8,
            samples -> 4,
            resetOptimizer),
        new LocalData(DATA, all, 8, 3, Optional.empty()),
        new Evaluator(workshop, DATA, all),
        parameters,
        new float[0],
        11);
  }

  @Test
  void trainingLowersTheLoss() {
    ModelLearner learner = learner(false);
    Evaluation before = learner.test();
    for (int round = 0; round < 20; round++) {
      learner.train();
    }

    assertThat(learner.test().loss()).isLessThan(before.loss() / 2);
    assertThat(learner.test().accuracy()).isGreaterThan(0.9);
  }

  @Test
  void aRoundIsItsGradientsApplied() {
    ModelLearner whole = learner(false);
    ModelLearner byHand = learner(false);
    whole.train();
    float[] gradient = new float[byHand.parameters().length];
    for (int step = 0; step < byHand.stepsPerRound(); step++) {
      byHand.gradient(gradient);
      byHand.apply(gradient);
    }

    assertThat(byHand.parameters()).isEqualTo(whole.parameters());
  }

  @Test
  void goesOnFromASavedState() {
    ModelLearner original = learner(false);
    original.train();
    State state = State.fresh();
    original.declare(state);
    ModelLearner resumed = learner(false);
    resumed.declare(State.resumed(state.snapshot()));

    original.train();
    resumed.train();

    assertThat(resumed.parameters()).isEqualTo(original.parameters());
  }

  @Test
  void forgetsMomentumWhenTold() {
    ModelLearner keeps = learner(false);
    ModelLearner forgets = learner(true);
    for (int round = 0; round < 2; round++) {
      keeps.train();
      forgets.train();
    }

    assertThat(forgets.parameters()).isNotEqualTo(keeps.parameters());
  }
}
