package dev.grapevine.experiment;

import dev.grapevine.UserException;
import dev.grapevine.protocol.Protocol;
import dev.grapevine.settings.SettingException;
import dev.grapevine.sharing.Continuity;
import dev.grapevine.sharing.Sharing;
import dev.grapevine.topology.Topology;

/** Whether a sharing scheme goes together with the protocol and with how the nodes start. */
public final class Compatibility {

  private Compatibility() {}

  /**
   * Passes if it does.
   *
   * @throws UserException with the place of the setting to change
   */
  public static void require(
      Experiment experiment, Protocol protocol, Sharing sharing, Topology topology) {
    require(experiment, protocol, sharing.continuity(), topology);
    if (sharing.needsSameStart() && !experiment.nodes().sameStart()) {
      throw experiment
          .section("nodes")
          .mistake(
              new SettingException(
                  "same-start",
                  ("sharing %s needs all nodes to start from the same weights: same-start=false;"
                          + " set same-start = true, or take choco, whose replicas start from zero")
                      .formatted(experiment.sharing().name())));
    }
  }

  /**
   * Passes if protocol and sharing scheme go together.
   *
   * @param continuity what the messages of the experiment's sharing scheme build on
   * @throws UserException with the place of the sharing scheme and the protocol's reason
   */
  public static void require(
      Experiment experiment, Protocol protocol, Continuity continuity, Topology topology) {
    String sharing = experiment.sharing().name();
    protocol
        .objection(sharing, continuity, topology)
        .ifPresent(reason -> {
          throw experiment
              .section("sharing")
              .mistake(
                  new SettingException(
                      "kind",
                      "protocol %s does not work with sharing %s: %s"
                          .formatted(experiment.protocol().name(), sharing, reason)));
        });
  }
}
