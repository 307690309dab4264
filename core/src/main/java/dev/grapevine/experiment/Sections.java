package dev.grapevine.experiment;

import dev.grapevine.aggregation.Aggregator;
import dev.grapevine.checkpoint.CheckpointSettings;
import dev.grapevine.data.DataSettings;
import dev.grapevine.data.DataSource;
import dev.grapevine.data.Partitioner;
import dev.grapevine.learning.ModelZoo;
import dev.grapevine.learning.Optimizers;
import dev.grapevine.learning.RateSchedules;
import dev.grapevine.network.NetworkSettings;
import dev.grapevine.privacy.Privacy;
import dev.grapevine.protocol.Protocol;
import dev.grapevine.runtime.NodeRuntime;
import dev.grapevine.runtime.fault.FaultPolicy;
import dev.grapevine.settings.Section;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.topology.Topology;
import java.util.List;

/** The tables of an experiment file, in the order in which they are documented and written. */
public final class Sections {

  static final Section NODES =
      Section.of("nodes", "how many nodes there are and how they start")
          .settings(NodesSettings.class);

  static final Section TOPOLOGY =
      Section.of("topology", "who talks to whom, round by round")
          .choice("kind", Topology.FAMILY, "regular");

  static final Section DATA =
      Section.of("data", "what is learned, and which node holds what of it")
          .choice("set", DataSource.FAMILY, "fashion-mnist-mini")
          .choice("partition", Partitioner.FAMILY, "shards")
          .settings(DataSettings.class);

  static final Section MODEL =
      Section.of("model", "what every node trains").choice("kind", ModelZoo.FAMILY, "small-cnn");

  static final Section TRAINING =
      Section.of("training", "how a node trains between two exchanges")
          .choice("optimizer", Optimizers.FAMILY, "sgd")
          .settings(TrainingSettings.class)
          .choice("schedule", RateSchedules.FAMILY, "constant");

  static final Section SHARING =
      Section.of("sharing", "what a message holds").choice("kind", Encoding.FAMILY, "full");

  static final Section AGGREGATION =
      Section.of("aggregation", "how what was heard is combined with a node's own")
          .choice("kind", Aggregator.FAMILY, "weighted");

  static final Section PRIVACY =
      Section.of("privacy", "what nodes keep from each other; the same for all of them")
          .choice("kind", Privacy.FAMILY, "none");

  static final Section PROTOCOL =
      Section.of("protocol", "what a node does, round after round")
          .choice("kind", Protocol.FAMILY, "d-psgd");

  static final Section EVALUATION =
      Section.of("evaluation", "when and on what models are evaluated")
          .settings(EvaluationSettings.class);

  static final Section STOP =
      Section.of("stop", "what ends a run before its last round").settings(StopSettings.class);

  static final Section CHECKPOINT =
      Section.of("checkpoint", "when the state of all nodes is saved, to go on from")
          .settings(CheckpointSettings.class);

  static final Section RUNTIME =
      Section.of("runtime", "what clock the nodes run on")
          .choice("kind", NodeRuntime.FAMILY, "live");

  static final Section NETWORK =
      Section.of("network", "how messages travel").settings(NetworkSettings.class);

  static final Section FAULTS =
      Section.of("faults", "what happens when a neighbour is late, gone or talks nonsense")
          .settings(FaultPolicy.class)
          .settings(InjectedFaults.class)
          .settings(MessageFaultSettings.class)
          .settings(ChurnSettings.class);

  private static final List<Section> ALL =
      List.of(
          NODES,
          TOPOLOGY,
          DATA,
          MODEL,
          TRAINING,
          SHARING,
          AGGREGATION,
          PRIVACY,
          PROTOCOL,
          EVALUATION,
          STOP,
          CHECKPOINT,
          RUNTIME,
          NETWORK,
          FAULTS);

  /** Those that an override may change for some nodes only. */
  private static final List<Section> PER_NODE =
      List.of(DATA, MODEL, TRAINING, SHARING, AGGREGATION, PROTOCOL);

  private Sections() {}

  public static List<Section> all() {
    return ALL;
  }

  /** The tables that {@code [[override]]} may change. */
  public static List<Section> perNode() {
    return PER_NODE;
  }
}
