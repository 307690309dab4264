package dev.grapevine.benchmarks.workload;

import dev.grapevine.data.DataSet;
import dev.grapevine.engine.GradientClipping;
import dev.grapevine.engine.Model;
import dev.grapevine.engine.RateSchedule;
import dev.grapevine.engine.Sgd;
import dev.grapevine.learning.Evaluator;
import dev.grapevine.learning.LocalData;
import dev.grapevine.learning.ModelContext;
import dev.grapevine.learning.ModelLearner;
import dev.grapevine.learning.ModelZoo;
import dev.grapevine.learning.TrainingPlan;
import dev.grapevine.learning.Workshop;
import dev.grapevine.settings.Registry;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Learners of one model and data set, as an experiment would make them: 3 steps of 8 a round. */
public final class Training {

  public static final int STEPS = 3;
  public static final int BATCH = 8;
  public static final double RATE = 0.01;

  /** Samples for which there is memory, as in an experiment, which evaluates so many at a time. */
  public static final int CAPACITY = 32;

  private final Model model;
  private final DataSet data;
  private final Workshop workshop;
  private final Evaluator test;
  private final TrainingPlan plan =
      new TrainingPlan(
          new Sgd(),
          RATE,
          new RateSchedule.Constant(),
          new GradientClipping.None(),
          BATCH,
          samples -> STEPS,
          false);
  private final float[] start;

  private Training(Model model, DataSet data) {
    this.model = model;
    this.data = data;
    this.workshop = new Workshop(model, CAPACITY);
    this.test = new Evaluator(workshop, data, new int[] {0});
    this.start = new float[model.parameterCount()];
    model.initialize(start, new float[model.statisticsCount()], new SplittableRandom(1));
  }

  public static Training gnLenet(DataSet data) {
    return of("gn-lenet", "", data);
  }

  /**
   * @param settings the lines of the model's TOML table
   */
  public static Training of(String model, String settings, DataSet data) {
    return new Training(
        Registry.load().choose(ModelZoo.FAMILY, model, settings).create(ModelContext.of(data)),
        data);
  }

  public Model model() {
    return model;
  }

  public DataSet data() {
    return data;
  }

  /** Where every learner begins; a copy. */
  public float[] start() {
    return start.clone();
  }

  /** The learner of one of so many nodes; small sets are dealt more than once. */
  public ModelLearner learner(int node, int nodes) {
    int count = Math.min(data.size(), Math.max(STEPS * BATCH, data.size() / nodes));
    int[] shard =
        IntStream.range(0, count)
            .map(i -> (int) (((long) node * count + i) % data.size()))
            .toArray();
    return new ModelLearner(
        workshop,
        plan,
        new LocalData(data, shard, BATCH, node, Optional.empty()),
        test,
        start(),
        new float[model.statisticsCount()],
        node);
  }
}
