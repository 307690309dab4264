package dev.grapevine.launch;

import dev.grapevine.aggregation.Aggregator;
import dev.grapevine.data.DataSet;
import dev.grapevine.data.DataSplits;
import dev.grapevine.data.DealtData;
import dev.grapevine.engine.GradientClipping;
import dev.grapevine.engine.Model;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.experiment.Parts;
import dev.grapevine.experiment.TrainingSettings;
import dev.grapevine.learning.Evaluator;
import dev.grapevine.learning.LocalData;
import dev.grapevine.learning.ModelLearner;
import dev.grapevine.learning.TrainingPlan;
import dev.grapevine.learning.Workshop;
import dev.grapevine.message.Payload;
import dev.grapevine.network.FrameHeader;
import dev.grapevine.privacy.Privacy;
import dev.grapevine.privacy.Start;
import dev.grapevine.protocol.Protocol;
import dev.grapevine.random.RandomStreams;
import dev.grapevine.results.ClassCounts;
import dev.grapevine.results.SharePercentiles;
import dev.grapevine.runtime.Company;
import dev.grapevine.runtime.NodeRuntime;
import dev.grapevine.runtime.NodeSetup;
import dev.grapevine.runtime.Plan;
import dev.grapevine.runtime.Saving;
import dev.grapevine.runtime.fault.FaultPolicy;
import dev.grapevine.runtime.fault.InjectedFault;
import dev.grapevine.scratch.Scratch;
import dev.grapevine.security.masking.Secrets;
import dev.grapevine.security.masking.Session;
import dev.grapevine.sharing.Continuity;
import dev.grapevine.sharing.SharingContext;
import dev.grapevine.state.State;
import dev.grapevine.topology.Neighbourhood;
import dev.grapevine.topology.Topology;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SequencedMap;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * An experiment put together: data loaded and dealt, models initialised, every node of this process
 * made. What several nodes have in common (data, models, compute memory) exists once.
 */
final class Assembly {

  /** Samples that are evaluated at a time; larger batches gain nothing. */
  private static final int EVALUATION_BATCH = 32;

  /** Stands for all nodes where a random stream is common to them. */
  private static final int EVERYONE = -1;

  private final Experiment experiment;
  private final Parts parts;
  private final Map<Model, Workshop> workshops = new HashMap<>();
  private final Map<Model, Evaluator> testEvaluators = new HashMap<>();
  private final SortedMap<Integer, ModelLearner> learners = new ConcurrentSkipListMap<>();
  private final SortedMap<Integer, NodeSetup> here = new ConcurrentSkipListMap<>();

  Assembly(Experiment experiment, Path dataDirectory) {
    this(experiment, dataDirectory, Continuation.NONE);
  }

  /**
   * @param from what the nodes go on from
   */
  Assembly(Experiment experiment, Path dataDirectory, Continuation from) {
    this(experiment, new Parts(experiment, dataDirectory), node -> true, from);
    Privacy.Beginning secrets =
        begin(session(experiment, parts.runtime().isSimulated(), from.firstRound(), from.times()));
    share(secrets.knowing(secrets.shown()));
  }

  /** Enough of a run to measure what a node takes; not to be run. */
  static Assembly ofFirstNode(Experiment experiment, Path dataDirectory) {
    return new Assembly(
        experiment, new Parts(experiment, dataDirectory), node -> node == 0, Continuation.NONE);
  }

  /**
   * A part of a run, whose nodes have no {@link #begin secrets} yet.
   *
   * @param here the nodes of this process
   */
  Assembly(Experiment experiment, Parts parts, IntPredicate here) {
    this(experiment, parts.having(here), here, Continuation.NONE);
  }

  Assembly(Experiment experiment, Parts parts, IntPredicate here, Continuation from) {
    this.experiment = experiment;
    this.parts = parts;
    IntFunction<State> states = from.states();
    try {
      for (int node = 0; node < parts.nodes(); node++) {
        if (here.test(node)) {
          this.here.put(node, node(node, states.apply(node)));
        }
      }
    } catch (State.UnfitException e) {
      throw from.refusal(e);
    }
  }

  /**
   * A session begins with every assembly, so that a run that is resumed, started once more or
   * forked never uses a mask again.
   *
   * @param times how often the run has been resumed
   */
  static Session session(Experiment experiment, boolean simulated, int firstRound, int times) {
    return simulated
        ? Session.drawn(
            "%s from round %d, start %d".formatted(experiment.toToml(), firstRound, times))
        : Session.fresh(new SecureRandom());
  }

  /** Makes what the nodes of this process keep from others. */
  Privacy.Beginning begin(Session session) {
    FaultPolicy policy = experiment.faultPolicy();
    boolean simulated = parts.runtime().isSimulated();
    SecureRandom random = new SecureRandom();
    return experiment
        .privacy()
        .create()
        .begin(
            new Start(
                parts.nodes(),
                experiment.seed(),
                session,
                node -> simulated ? Secrets.drawn(session, node) : Secrets.of(random),
                here.keySet().stream().mapToInt(Integer::intValue).toArray(),
                policy.missing() != FaultPolicy.Missing.GO_ON
                    && policy.failedNode() == FaultPolicy.FailedNode.END));
  }

  /** Gives the nodes their secrets. */
  void share(Privacy.Nodes secrets) {
    here.replaceAll((node, setup) -> setup.with(secrets.of(node)));
  }

  /**
   * Whether some nodes add up what their neighbours have told them, so that one that comes back
   * would be wrong about what it has not heard.
   */
  boolean addsUpNeighbours() {
    Set<String> known = new HashSet<>();
    for (int node = 0; node < parts.learners(); node++) {
      Experiment view = experiment.forNode(node);
      if (known.add(view.sharing().name() + view.sharing().settings())
          && setup(view, node, learner(view, node), State.fresh()).encoding().continuity()
              == Continuity.NEIGHBOURS) {
        return true;
      }
    }
    return false;
  }

  /** What the runtime runs; good for one run. */
  Plan plan(Saving saving) {
    return plan(saving, Set.of());
  }

  /**
   * The same after some faults on purpose have been mended.
   *
   * @param mended those that do not strike
   */
  Plan plan(Saving saving, Set<InjectedFault> mended) {
    return new Plan(
        here,
        parts.nodes(),
        parts.topology(),
        experiment.rounds(),
        experiment.seed(),
        experiment.faultPolicy(),
        experiment.faults().mending(mended),
        saving);
  }

  NodeRuntime runtime() {
    return parts.runtime();
  }

  /** The runtime of one worker of many. */
  NodeRuntime runtime(Company company) {
    return parts.runtime(company);
  }

  /** How many nodes there are in the whole run, servers included. */
  int nodes() {
    return parts.nodes();
  }

  /** Whether a node of the run, in whichever process, takes a step in a round. */
  boolean trains(int node) {
    ModelLearner learner = learners.get(node);
    if (learner != null || node >= parts.learners()) {
      return learner != null && learner.stepsPerRound() > 0;
    }
    Experiment view = experiment.forNode(node);
    DealtData data = parts.data(view);
    return view.training()
            .localSteps(data.shards()[node].length, data.splits().train().size(), parts.learners())
        > 0;
  }

  Topology topology() {
    return parts.topology();
  }

  /** The learners of this process by number, those of servers last. */
  SortedMap<Integer, ModelLearner> learners() {
    return learners;
  }

  /** The data as most nodes see them, that is without overrides. */
  DataSplits data() {
    return parts.data(experiment).splits();
  }

  /** What the nodes that learn hold at the start. */
  ClassCounts classCounts() {
    int[][] counts = new int[experiment.nodes().count()][];
    for (int node = 0; node < counts.length; node++) {
      DealtData data = parts.data(experiment.forNode(node));
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
    here.forEach((node, setup) ->
        setup.encoding().shareCounts().ifPresent(counts -> byNode.put(node, counts.percentiles())));
    return byNode.isEmpty() ? Optional.empty() : Optional.of(new SharePercentiles(byNode));
  }

  /** Measures on the test set; used for the average of all models. */
  Evaluator testEvaluator() {
    return testEvaluator(model(), parts.data(experiment.forNode(0)).splits().test());
  }

  /** A learner like that of the first node, to try things with; no node of the run. */
  ModelLearner spareLearner() {
    return learner(experiment.forNode(0), 0);
  }

  /** Measures on at most so many of the test samples. */
  Evaluator evaluatorOf(int samples) {
    DataSet test = data().test();
    return new Evaluator(
        workshop(model()), test, IntStream.range(0, Math.min(samples, test.size())).toArray());
  }

  /** How many samples a node looks at when it is evaluated. */
  int evaluatedSamples() {
    int test = data().test().size();
    int held =
        experiment.evaluation().validation() ? data().validation().map(DataSet::size).orElse(0) : 0;
    return Math.min(test, experiment.evaluation().samples().orElse(test)) + held;
  }

  /** What the first message of a node takes on the wire; empty when it has nobody to talk to. */
  OptionalLong messageBytes() {
    Neighbourhood neighbours = topology().neighbours(0, 0);
    if (neighbours.degree() == 0) {
      return OptionalLong.empty();
    }
    NodeSetup spare = setup(experiment.forNode(0), 0, spareLearner(), State.fresh());
    Payload payload;
    try (Scratch scratch = new Scratch()) {
      payload = spare.encoding().encode(0, neighbours, scratch).to(neighbours.sendsTo()[0]);
    }
    return OptionalLong.of(FrameHeader.framed(1, payload.size()));
  }

  private Model model() {
    return parts.model(experiment.forNode(0), 0);
  }

  /** What one more node costs: its learner's vectors, and as much again for what it shares. */
  long bytesOfNode() {
    return 2L * Float.BYTES * model().parameterCount();
  }

  /** Measures on the validation set, if samples were held out for it. */
  Optional<Evaluator> validationEvaluator() {
    return data()
        .validation()
        .filter(set -> experiment.evaluation().validation())
        .map(set -> new Evaluator(workshop(model()), set, chosen(set, OptionalInt.empty())));
  }

  /** Makes a node anew that comes back; it takes the place of the one that went. */
  synchronized NodeSetup again(int node, State state) {
    NodeSetup setup = node(node, state);
    here.put(node, setup);
    return setup;
  }

  private NodeSetup node(int node, State state) {
    Experiment view = node < parts.learners() ? experiment.forNode(node) : experiment;
    ModelLearner learner = learner(view, node);
    learners.put(node, learner);
    return setup(view, node, learner, state);
  }

  private NodeSetup setup(Experiment view, int node, ModelLearner learner, State state) {
    learner.declare(state.part("learner"));
    SharingContext context =
        parts.sharing(view, node, learner.parameters(), learner.data(), state.part("model"));
    Protocol protocol = parts.protocol(view, node);
    Aggregator aggregator = view.aggregation().create();
    NodeSetup setup =
        NodeSetup.of(learner, context, view.sharing()::create, aggregator, protocol, state);
    parts.requireFit(view, protocol, setup.encoding(), aggregator);
    return setup;
  }

  private ModelLearner learner(Experiment view, int node) {
    Model model = parts.model(view, node);
    long seed = experiment.seed();
    float[] parameters = new float[model.parameterCount()];
    float[] statistics = new float[model.statisticsCount()];
    int start = experiment.nodes().sameStart() ? EVERYONE : node;
    model.initialize(parameters, statistics, RandomStreams.of(seed, start, "weights"));
    TrainingPlan plan = trainingPlan(view);
    DealtData data = parts.data(view);
    LocalData local =
        new LocalData(
            data.splits().train(),
            node < parts.learners() ? data.shards()[node] : new int[0],
            plan.batchSize(),
            RandomStreams.of(seed, node, "batches").nextLong(),
            data.augmentation());
    return new ModelLearner(
        workshop(model),
        plan,
        local,
        testEvaluator(model, data.splits().test()),
        parameters,
        statistics,
        RandomStreams.of(seed, node, "dropout").nextLong());
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

  private Evaluator testEvaluator(Model model, DataSet test) {
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

  private TrainingPlan trainingPlan(Experiment view) {
    TrainingSettings training = view.training();
    int all = parts.data(view).splits().train().size();
    return new TrainingPlan(
        view.optimizer().create(),
        training.rate(),
        view.schedule().create(),
        clipping(training),
        training.batchSize(),
        samples -> training.localSteps(samples, all, parts.learners()),
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
}
