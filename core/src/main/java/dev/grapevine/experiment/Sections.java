package dev.grapevine.experiment;

import dev.grapevine.learning.Optimizers;
import dev.grapevine.learning.RateSchedules;
import dev.grapevine.settings.Section;
import dev.grapevine.sharing.Sharing;
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

  static final Section TRAINING =
      Section.of("training", "how a node trains between two exchanges")
          .choice("optimizer", Optimizers.FAMILY, "sgd")
          .settings(TrainingSettings.class)
          .choice("schedule", RateSchedules.FAMILY, "constant");

  static final Section SHARING =
      Section.of("sharing", "what a message holds and how received ones are merged")
          .choice("kind", Sharing.FAMILY, "full");

  static final Section EVALUATION =
      Section.of("evaluation", "when and on what models are evaluated")
          .settings(EvaluationSettings.class);

  private static final List<Section> ALL = List.of(NODES, TOPOLOGY, TRAINING, SHARING, EVALUATION);

  /** Those that an override may change for some nodes only. */
  private static final List<Section> PER_NODE = List.of(TRAINING, SHARING);

  private Sections() {}

  public static List<Section> all() {
    return ALL;
  }

  /** The tables that {@code [[override]]} may change. */
  public static List<Section> perNode() {
    return PER_NODE;
  }
}
