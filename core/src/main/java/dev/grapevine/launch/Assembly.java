package dev.grapevine.launch;

import dev.grapevine.UserException;
import dev.grapevine.data.DataContext;
import dev.grapevine.data.DataSet;
import dev.grapevine.data.DataSplits;
import dev.grapevine.data.DealtData;
import dev.grapevine.engine.GradientClipping;
import dev.grapevine.engine.Model;
import dev.grapevine.experiment.Compatibility;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.experiment.TrainingSettings;
import dev.grapevine.learning.Evaluator;
import dev.grapevine.learning.LocalData;
import dev.grapevine.learning.ModelContext;
import dev.grapevine.learning.ModelLearner;
import dev.grapevine.learning.TrainingPlan;
import dev.grapevine.learning.Workshop;
import dev.grapevine.node.RandomStreams;
import dev.grapevine.protocol.Protocol;
import dev.grapevine.protocol.ProtocolContext;
import dev.grapevine.protocol.Shared;
import dev.grapevine.results.ClassCounts;
import dev.grapevine.results.SharePercentiles;
import dev.grapevine.runtime.NodeRuntime;
import dev.grapevine.runtime.NodeSetup;
import dev.grapevine.runtime.RunPlan;
import dev.grapevine.runtime.RuntimeContext;
import dev.grapevine.settings.SettingException;
import dev.grapevine.sharing.Sharing;
import dev.grapevine.sharing.SharingContext;
import dev.grapevine.topology.Topology;
import dev.grapevine.topology.TopologyContext;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * An experiment put together: data loaded and dealt, models initialised, every node made. What
 * several nodes have in common (data, models, compute memory) exists once.
 */
final class Assembly {

  /** Samples that are evaluated at a time; larger batches gain nothing. */
  private static final int EVALUATION_BATCH = 32;

  /** Stands for all nodes where a random stream is common to them. */
  private static final int EVERYONE = -1;

  private final Experiment experiment;
  private final DataContext dataContext;
  private final Map<Object, DealtData> dealt = new HashMap<>();
  private final Map<Object, Model> models = new HashMap<>();
  private final Map<Model, Workshop> workshops = new HashMap<>();
  private final Map<Model, Evaluator> testEvaluators = new HashMap<>();
  private final Topology topology;
  private final Shared shared = new Shared();
  private final List<ModelLearner> learners = new ArrayList<>();
  private final List<NodeSetup> nodes = new ArrayList<>();

  Assembly(Experiment experiment, Path dataDirectory) {
    this.experiment = experiment;
    this.dataContext = new DataContext(dataDirectory, experiment.seed(), experiment.directory());
    int count = experiment.nodes().count();
    this.topology =
        experiment
            .topology()
            .create(new TopologyContext(count, experiment.seed(), experiment.directory()));
    int servers = protocol(experiment, 0).servers();
    requireEqualSizes(count);
    for (int node = 0; node < count + servers; node++) {
      nodes.add(node(node, count, count + servers));
    }
  }

  /** What the runtime runs; good for one run. */
  RunPlan plan() {
    return new RunPlan(
        nodes,
        topology,
        experiment.rounds(),
        experiment.seed(),
        experiment.faultPolicy(),
        experiment.injectedFaults());
  }

  NodeRuntime runtime() {
    return experiment.runtime().create(new RuntimeContext(experiment.network()));
  }

  Topology topology() {
    return topology;
  }

  /** All learners by number, those of servers last. */
  List<ModelLearner> learners() {
    return learners;
  }

  /** The data as most nodes see them, that is without overrides. */
  DataSplits data() {
    return dealt(experiment).splits();
  }

  /** What the nodes that learn hold at the start. */
  ClassCounts classCounts() {
    int[][] counts = new int[experiment.nodes().count()][];
    for (int node = 0; node < counts.length; node++) {
      DealtData data = dealt(experiment.forNode(node));
      DataSet train = data.splits().train();
      counts[node] = new int[Math.max(1, train.classes())];
      for (int sample : data.shards()[node]) {
        counts[node][train.label(sample)]++;
      }
    }
    return new ClassCounts(counts);
  }

  /** How often coordinates were shared, by the nodes whose scheme has counted it. */
  Optional<SharePercentiles> shareCounts() {
    SequencedMap<Integer, double[]> byNode = new TreeMap<>();
    for (int node = 0; node < nodes.size(); node++) {
      int at = node;
      nodes
          .get(node)
          .sharing()
          .shareCounts()
          .ifPresent(counts -> byNode.put(at, counts.percentiles()));
    }
    return byNode.isEmpty() ? Optional.empty() : Optional.of(new SharePercentiles(byNode));
  }

  Model model() {
    return model(experiment);
  }

  /** Measures on the test set; used for the average of all models. */
  Evaluator testEvaluator() {
    return testEvaluator(experiment);
  }

  /** Measures on the validation set, if samples were held out for it. */
  Optional<Evaluator> validationEvaluator() {
    return data()
        .validation()
        .filter(set -> experiment.evaluation().validation())
        .map(set -> new Evaluator(workshop(model()), set, chosen(set, OptionalInt.empty())));
  }

  private NodeSetup node(int node, int count, int all) {
    Experiment view = node < count ? experiment.forNode(node) : experiment;
    ModelLearner learner = learner(view, node, count);
    learners.add(learner);
    Sharing sharing =
        view.sharing()
            .create(
                new SharingContext(
                    node,
                    all,
                    learner.parameters(),
                    learner.blocks(),
                    experiment.seed(),
                    RandomStreams.of(experiment.seed(), node, "sharing"),
                    learner.data()));
    Protocol protocol = protocol(view, node);
    Compatibility.require(view, protocol, sharing, topology);
    return new NodeSetup(learner, sharing, protocol);
  }

  private ModelLearner learner(Experiment view, int node, int count) {
    Model model = model(view);
    long seed = experiment.seed();
    float[] parameters = new float[model.parameterCount()];
    float[] statistics = new float[model.statisticsCount()];
    int start = experiment.nodes().sameStart() ? EVERYONE : node;
    model.initialize(parameters, statistics, RandomStreams.of(seed, start, "weights"));
    TrainingPlan plan = trainingPlan(view);
    DealtData data = dealt(view);
    LocalData local =
        new LocalData(
            data.splits().train(),
            node < count ? data.shards()[node] : new int[0],
            plan.batchSize(),
            RandomStreams.of(seed, node, "batches").nextLong(),
            data.augmentation());
    return new ModelLearner(
        workshop(model),
        plan,
        local,
        testEvaluator(view),
        parameters,
        statistics,
        RandomStreams.of(seed, node, "dropout").nextLong());
  }

  private Protocol protocol(Experiment view, int node) {
    return view.protocol()
        .create(
            new ProtocolContext(
                node, experiment.nodes().count(), experiment.seed(), topology, shared));
  }

  private DealtData dealt(Experiment view) {
    Object key =
        List.of(
            view.data().name(),
            view.data().settings(),
            view.partition().name(),
            view.partition().settings(),
            view.dataSettings());
    return dealt.computeIfAbsent(key, missing -> deal(view));
  }

  private DealtData deal(Experiment view) {
    try {
      return DealtData.prepare(
          view.data().create(dataContext),
          view.partition().create(dataContext),
          view.dataSettings(),
          experiment.nodes().count(),
          experiment.seed());
    } catch (SettingException mistake) {
      throw view.mistake("data", mistake);
    }
  }

  private Model model(Experiment view) {
    ModelContext context = ModelContext.of(dealt(view).splits().train());
    Object key = List.of(view.model().name(), view.model().settings(), context.data());
    return models.computeIfAbsent(key, missing -> view.model().create(context));
  }

  private Workshop workshop(Model model) {
    return workshops.computeIfAbsent(
        model, missing -> new Workshop(model, Math.max(EVALUATION_BATCH, largestBatch())));
  }

  private int largestBatch() {
    return IntStream.range(0, experiment.nodes().count())
        .map(node -> experiment.forNode(node).training().batchSize())
        .max()
        .orElseThrow();
  }

  private Evaluator testEvaluator(Experiment view) {
    Model model = model(view);
    DataSet test = dealt(view).splits().test();
    return testEvaluators.computeIfAbsent(
        model,
        missing ->
            new Evaluator(workshop(model), test, chosen(test, experiment.evaluation().samples())));
  }

  /** The samples to evaluate on: all, or so many drawn once by the seed. */
  private int[] chosen(DataSet set, OptionalInt count) {
    if (count.isEmpty() || count.getAsInt() >= set.size()) {
      return IntStream.range(0, set.size()).toArray();
    }
    return RandomChoice.distinct(
        RandomStreams.of(experiment.seed(), EVERYONE, "evaluation samples"),
        set.size(),
        count.getAsInt());
  }

  private static TrainingPlan trainingPlan(Experiment view) {
    TrainingSettings training = view.training();
    return new TrainingPlan(
        view.optimizer().create(),
        training.rate(),
        view.schedule().create(),
        clipping(training),
        training.batchSize(),
        training::localSteps,
        training.resetOptimizer());
  }

  private static GradientClipping clipping(TrainingSettings training) {
    if (training.clipNorm().isPresent()) {
      return new GradientClipping.ByNorm(training.clipNorm().getAsDouble());
    }
    if (training.clipValue().isPresent()) {
      return new GradientClipping.ByValue(training.clipValue().getAsDouble());
    }
    return new GradientClipping.None();
  }

  private void requireEqualSizes(int count) {
    Model first = model(experiment);
    for (int node = 0; node < count; node++) {
      Model own = model(experiment.forNode(node));
      if (own.parameterCount() != first.parameterCount()) {
        throw new UserException(
            "all nodes need models of the same size: model %s of node %d has %d parameters, %s has"
                    .formatted(own.name(), node, own.parameterCount(), first.name())
                + " %d; change the override".formatted(first.parameterCount()));
      }
    }
  }
}
