package dev.grapevine.experiment;

import dev.grapevine.UserException;
import dev.grapevine.aggregation.Aggregator;
import dev.grapevine.data.DataContext;
import dev.grapevine.data.DataSource;
import dev.grapevine.data.DealtData;
import dev.grapevine.data.Partitioner;
import dev.grapevine.engine.Model;
import dev.grapevine.learning.ModelContext;
import dev.grapevine.learning.ModelFit;
import dev.grapevine.learning.SampleExchange;
import dev.grapevine.network.LinkContext;
import dev.grapevine.protocol.Protocol;
import dev.grapevine.protocol.ProtocolContext;
import dev.grapevine.protocol.Shared;
import dev.grapevine.random.RandomStreams;
import dev.grapevine.runtime.Company;
import dev.grapevine.runtime.NodeRuntime;
import dev.grapevine.runtime.RuntimeContext;
import dev.grapevine.runtime.churn.Churn;
import dev.grapevine.runtime.churn.ComesBackWith;
import dev.grapevine.runtime.fault.FaultPolicy;
import dev.grapevine.runtime.fault.Faults;
import dev.grapevine.runtime.fault.InjectedFault;
import dev.grapevine.settings.SettingException;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.sharing.SharingContext;
import dev.grapevine.state.State;
import dev.grapevine.topology.NodeSet;
import dev.grapevine.topology.Topology;
import dev.grapevine.topology.TopologyContext;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * What an experiment is made of, each part built once and checked against the others. Whoever runs
 * an experiment and whoever only checks it take the parts from here, so that what one refuses, the
 * other refuses too. A <i>view</i> is the experiment as one node has it, overrides applied.
 */
public final class Parts {

  /** As long as a small model, so that a transform of many levels fits a model that is not here. */
  private static final int STAND_IN_SIZE = 1 << 14;

  private final Experiment experiment;
  private final DataContext dataContext;
  private final Topology topology;
  private final Shared shared = new Shared();
  private final Map<Object, DealtData> dealt = new HashMap<>();
  private final Map<Object, Model> models = new HashMap<>();
  private final ModelSizes sizes;
  private final int servers;
  private @Nullable IntPredicate here;

  /**
   * Builds what needs no data.
   *
   * @throws UserException for the first thing that does not fit
   */
  public Parts(Experiment experiment, Path dataDirectory) {
    this.experiment = experiment;
    this.dataContext = new DataContext(dataDirectory, experiment.seed(), experiment.directory());
    this.sizes = new ModelSizes(experiment);
    checkEvaluation();
    checkStop();
    checkFaults();
    this.topology = buildTopology();
    this.servers = protocol(experiment, 0).servers();
    experiment.network().link().create(new LinkContext(learners(), experiment.seed()));
    runtime();
  }

  /** How many nodes hold data. */
  public int learners() {
    return experiment.nodes().count();
  }

  /** How many nodes there are, servers included. */
  public int nodes() {
    return learners() + servers;
  }

  public Topology topology() {
    return topology;
  }

  public NodeRuntime runtime() {
    return experiment.runtime().create(new RuntimeContext(experiment.network()));
  }

  /** The runtime of one worker of many. */
  public NodeRuntime runtime(Company company) {
    return experiment
        .runtime()
        .create(new RuntimeContext(experiment.network(), Optional.of(company)));
  }

  public Protocol protocol(Experiment view, int node) {
    return view.protocol()
        .create(new ProtocolContext(node, learners(), experiment.seed(), topology, shared));
  }

  /** Whether the data of a view is on this machine. */
  boolean hasData(Experiment view) {
    view.partition().create(dataContext);
    return view.data().create(dataContext).present();
  }

  /**
   * Says that this process has these nodes, and those that were said before; all unless something
   * is said. Data that is loaded later may leave out the samples of others.
   */
  public Parts having(IntPredicate nodes) {
    here = here == null ? nodes : here.or(nodes);
    return this;
  }

  /** The data of a view, loaded and dealt to the nodes. */
  public DealtData data(Experiment view) {
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
    DataSource source = view.data().create(dataContext);
    Partitioner partitioner = view.partition().create(dataContext);
    try {
      return here == null
          ? DealtData.prepare(
              source, partitioner, view.dataSettings(), learners(), experiment.seed())
          : DealtData.prepare(
              source, partitioner, view.dataSettings(), learners(), experiment.seed(), here);
    } catch (SettingException mistake) {
      throw view.mistake("data", mistake);
    }
  }

  /** The model of a node, whose size is that of all others. */
  public Model model(Experiment view, int node) {
    Model model = model(view);
    sizes.require(node, model.parameterCount());
    return model;
  }

  /** The model of a view, which fits its data. */
  private Model model(Experiment view) {
    ModelContext context = ModelContext.of(data(view).splits().train());
    Object key = List.of(view.model().name(), view.model().settings(), context.data());
    return models.computeIfAbsent(key, missing -> fitting(view, context));
  }

  private static Model fitting(Experiment view, ModelContext context) {
    Model model = view.model().create(context);
    try {
      ModelFit.check(model, context);
    } catch (SettingException mistake) {
      throw view.mistake("model", mistake);
    }
    return model;
  }

  /**
   * What the encoding of a node's model knows.
   *
   * @param parameters the model, which combining changes in place
   * @param state where the encoding declares what it remembers
   */
  public SharingContext sharing(
      Experiment view, int node, float[] parameters, SampleExchange samples, State state) {
    return new SharingContext(
        node,
        nodes(),
        parameters,
        model(view).parameters(),
        experiment.seed(),
        state.stream("random", RandomStreams.of(experiment.seed(), node, "sharing")),
        state,
        samples);
  }

  /** Refuses an encoding and a rule that do not go together, or not with the protocol. */
  public void requireFit(
      Experiment view, Protocol protocol, Encoding encoding, Aggregator aggregator) {
    Compatibility.require(view, protocol, encoding, aggregator, topology);
    Compatibility.requirePrivacy(experiment, view, protocol, encoding, aggregator, topology);
  }

  /** The same where there is no data: what goes together does not depend on the model's size. */
  void requireFit(Experiment view, int node, Protocol protocol, SampleExchange samples) {
    SharingContext context =
        new SharingContext(
            node,
            nodes(),
            new float[STAND_IN_SIZE],
            List.of(),
            experiment.seed(),
            RandomStreams.of(experiment.seed(), node, "sharing"),
            State.fresh(),
            samples);
    requireFit(view, protocol, view.sharing().create(context), view.aggregation().create());
  }

  private Topology buildTopology() {
    Topology built =
        experiment
            .topology()
            .create(new TopologyContext(learners(), experiment.seed(), experiment.directory()));
    if (built.nodes() != learners()) {
      throw mistake(
          "topology",
          "kind",
          "the topology has %d nodes, but nodes.count is %d".formatted(built.nodes(), learners()));
    }
    return built;
  }

  private void checkEvaluation() {
    EvaluationSettings evaluation = experiment.evaluation();
    if (evaluation.nodes().orElse(0) > learners()) {
      throw mistake(
          "evaluation",
          "nodes",
          "more nodes are to evaluate than there are: nodes=%d, nodes.count=%d"
              .formatted(evaluation.nodes().getAsInt(), learners()));
    }
    if (evaluation.validation() && experiment.dataSettings().validation() == 0) {
      throw mistake(
          "evaluation",
          "validation",
          "there are no validation samples; set data.validation to the share to hold out, such as"
              + " 0.1");
    }
  }

  private void checkStop() {
    if (experiment.stop().needsEvaluation()
        && (experiment.evaluation().every() == 0 || !experiment.evaluation().local())) {
      throw mistake(
          "stop",
          experiment.stop().accuracy().isPresent() ? "accuracy" : "patience",
          "the nodes' models are not evaluated, so the run could not stop by it; set evaluation.every"
              + " and leave evaluation.local as it is");
    }
  }

  private void checkFaults() {
    if (experiment.faultPolicy().failedNode() == FaultPolicy.FailedNode.RESTART
        && !experiment.checkpoint().isOn()) {
      throw mistake(
          "faults",
          "failed-node",
          "nothing is saved, so that no node could be restarted; set checkpoint.every");
    }
    checkPartitions();
    Faults faults = experiment.faults();
    checkChurn(faults.churn());
    if (faults.messages().losesMessages()
        && experiment.faultPolicy().missing() == FaultPolicy.Missing.WAIT) {
      throw mistake(
          "faults",
          "missing",
          "messages get lost on purpose and nodes wait for them as long as it takes; let them go on"
              + " with missing = \"go-on\", or fail");
    }
    for (InjectedFault fault : faults.injected()) {
      if (fault.node() < 0 || fault.node() >= learners()) {
        throw mistake(
            "faults",
            "inject",
            "there is no node %d to go wrong: nodes are numbered from 0 to %d"
                .formatted(fault.node(), learners() - 1));
      }
    }
  }

  private void checkChurn(Churn churn) {
    if (churn.ways().contains(ComesBackWith.CHECKPOINT) && !experiment.checkpoint().isOn()) {
      throw mistake(
          "faults",
          "churn",
          "nodes come back with their newest checkpoint, and nothing is saved; set checkpoint.every,"
              + " or let them come back with = \"memory\"");
    }
    if (!churn.isNone() && !experiment.privacy().create().isNone()) {
      throw mistake(
          "faults",
          "churn",
          "privacy %s does not go with nodes that come and go: one that comes back has no keys; leave"
                  .formatted(experiment.privacy().name())
              + " out one of the two");
    }
  }

  private void checkPartitions() {
    for (MessageFaultSettings.Partition each : experiment.messageFaults().partitions()) {
      try {
        NodeSet.parse(each.nodes(), learners());
      } catch (IllegalArgumentException wrong) {
        throw mistake("faults", "partitions", String.valueOf(wrong.getMessage()));
      }
    }
  }

  private UserException mistake(String section, String key, String message) {
    return experiment.mistake(section, new SettingException(key, message));
  }
}
