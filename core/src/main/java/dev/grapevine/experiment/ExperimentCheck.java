package dev.grapevine.experiment;

import dev.grapevine.UserException;
import dev.grapevine.data.DataContext;
import dev.grapevine.data.DataSet;
import dev.grapevine.data.DataSource;
import dev.grapevine.data.DealtData;
import dev.grapevine.data.Partitioner;
import dev.grapevine.data.fetch.DataDirectory;
import dev.grapevine.engine.Model;
import dev.grapevine.learning.ModelContext;
import dev.grapevine.learning.SampleExchange;
import dev.grapevine.network.LinkContext;
import dev.grapevine.node.RandomStreams;
import dev.grapevine.protocol.Protocol;
import dev.grapevine.protocol.ProtocolContext;
import dev.grapevine.protocol.Shared;
import dev.grapevine.runtime.InjectedFault;
import dev.grapevine.runtime.RuntimeContext;
import dev.grapevine.settings.Place;
import dev.grapevine.settings.SettingException;
import dev.grapevine.sharing.Continuity;
import dev.grapevine.sharing.Sharing;
import dev.grapevine.sharing.SharingContext;
import dev.grapevine.topology.Topology;
import dev.grapevine.topology.TopologyContext;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Builds everything that can be built without running and checks the parts against each other: the
 * graph against the number of nodes, the data against its partition, the model against the data,
 * sharing against the model, overrides against the rest.
 */
public final class ExperimentCheck {

  private final Experiment experiment;
  private final Path dataDirectory;
  private final List<String> notes = new ArrayList<>();

  private ExperimentCheck(Experiment experiment, Path dataDirectory) {
    this.experiment = experiment;
    this.dataDirectory = dataDirectory;
  }

  /**
   * What was found out on the way.
   *
   * @param parameters length of the model's vector, or 0 when the data is not here to tell
   * @param notes what could not be checked, and why
   */
  public record Findings(Topology topology, int parameters, List<String> notes) {}

  /**
   * Checks the experiment with data from the usual folder.
   *
   * @throws UserException for the first thing that does not fit
   */
  public static Findings check(Experiment experiment) {
    return check(experiment, DataDirectory.locate());
  }

  /** Checks the experiment with data from a folder. */
  public static Findings check(Experiment experiment, Path dataDirectory) {
    return new ExperimentCheck(experiment, dataDirectory).run();
  }

  private Findings run() {
    Topology topology = topology();
    evaluation();
    faults();
    transport();
    int parameters = 0;
    Set<Experiment> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    for (int node = 0; node < experiment.nodes().count(); node++) {
      Experiment variant = experiment.forNode(node);
      if (seen.add(variant)) {
        parameters = node(variant, node, parameters, topology);
      }
    }
    return new Findings(topology, parameters, List.copyOf(notes));
  }

  private Topology topology() {
    int nodes = experiment.nodes().count();
    Topology topology =
        experiment
            .topology()
            .create(new TopologyContext(nodes, experiment.seed(), experiment.directory()));
    if (topology.nodes() != nodes) {
      throw mistake(
          "topology",
          "kind",
          "the topology has %d nodes, but nodes.count is %d".formatted(topology.nodes(), nodes));
    }
    return topology;
  }

  private void evaluation() {
    EvaluationSettings evaluation = experiment.evaluation();
    int nodes = experiment.nodes().count();
    if (evaluation.nodes().orElse(0) > nodes) {
      throw mistake(
          "evaluation",
          "nodes",
          "more nodes are to evaluate than there are: nodes=%d, nodes.count=%d"
              .formatted(evaluation.nodes().getAsInt(), nodes));
    }
    if (evaluation.validation() && experiment.dataSettings().validation() == 0) {
      throw mistake(
          "evaluation",
          "validation",
          "there are no validation samples; set data.validation to the share to hold out, such as"
              + " 0.1");
    }
  }

  private void faults() {
    int nodes = experiment.nodes().count();
    for (InjectedFault fault : experiment.injectedFaults()) {
      if (fault.node() < 0 || fault.node() >= nodes) {
        throw mistake(
            "faults",
            "inject",
            "there is no node %d to go wrong: nodes are numbered from 0 to %d"
                .formatted(fault.node(), nodes - 1));
      }
    }
  }

  private void transport() {
    experiment
        .network()
        .link()
        .create(new LinkContext(experiment.nodes().count(), experiment.seed()));
    experiment.runtime().create(new RuntimeContext(experiment.network()));
  }

  /** Checks what one kind of node is made of; returns the length of its parameter vector. */
  private int node(Experiment variant, int node, int parametersOfOthers, Topology topology) {
    variant.optimizer().create();
    variant.schedule().create();
    Protocol protocol = protocol(variant, node, topology);
    DataSet train = data(variant);
    if (train == null) {
      Compatibility.require(variant, protocol, Continuity.NONE, topology);
      return parametersOfOthers;
    }
    Model model = variant.model().create(ModelContext.of(train));
    int parameters = model.parameterCount();
    if (parametersOfOthers != 0 && parameters != parametersOfOthers) {
      throw placeOfModel(node)
          .mistake(
              "models must be of one size to be mixed: node %d has %d parameters, the others have %d"
                  .formatted(node, parameters, parametersOfOthers));
    }
    Sharing sharing = sharing(variant, node, model);
    Compatibility.require(variant, protocol, sharing, topology);
    return parameters;
  }

  /** The override that gives a node its model, or the data that decide the model's size. */
  private Place placeOfModel(int node) {
    for (NodeOverride override : experiment.overrides().reversed()) {
      for (String section : List.of("model", "data")) {
        if (override.nodes().contains(node) && override.changes().get(section).isPresent()) {
          return override.changes().placeOfKey(section);
        }
      }
    }
    return experiment.section("model").place("kind");
  }

  private Protocol protocol(Experiment variant, int node, Topology topology) {
    Protocol protocol =
        variant
            .protocol()
            .create(
                new ProtocolContext(
                    node, experiment.nodes().count(), experiment.seed(), topology, new Shared()));
    if (variant != experiment && protocol.servers() > 0) {
      notes.add("a protocol with servers is overridden for some nodes; all must agree on them");
    }
    return protocol;
  }

  private @Nullable DataSet data(Experiment variant) {
    DataContext context = new DataContext(dataDirectory, experiment.seed(), experiment.directory());
    DataSource source = variant.data().create(context);
    Partitioner partitioner = variant.partition().create(context);
    if (!source.present()) {
      String note =
          "%s is not on this machine (grapevine data get %s), so partition, model and sharing"
                  .formatted(variant.data().name(), variant.data().name())
              + " were not checked against it";
      if (!notes.contains(note)) {
        notes.add(note);
      }
      return null;
    }
    try {
      return DealtData.prepare(
              source,
              partitioner,
              variant.dataSettings(),
              experiment.nodes().count(),
              experiment.seed())
          .splits()
          .train();
    } catch (SettingException e) {
      throw variant.section("data").mistake(e);
    }
  }

  private Sharing sharing(Experiment variant, int node, Model model) {
    return variant
        .sharing()
        .create(
            new SharingContext(
                node,
                experiment.nodes().count(),
                new float[model.parameterCount()],
                model.parameters(),
                experiment.seed(),
                RandomStreams.of(experiment.seed(), node, "sharing"),
                new NoSamples()));
  }

  private UserException mistake(String section, String key, String message) {
    return experiment.section(section).mistake(new SettingException(key, message));
  }

  /** Stands in for a node's data, which is not read while a scheme is built. */
  private static final class NoSamples implements SampleExchange {
    @Override
    public int samples() {
      return 0;
    }

    @Override
    public int inputSize() {
      return 1;
    }

    @Override
    public int targetSize() {
      return 1;
    }

    @Override
    public void read(int sample, float[] inputs, int at, float[] targets, int targetAt) {
      throw new UnsupportedOperationException("nothing is read while an experiment is checked");
    }

    @Override
    public void add(float[] inputs, int at, float[] targets, int targetAt) {
      throw new UnsupportedOperationException("nothing is added while an experiment is checked");
    }
  }
}
