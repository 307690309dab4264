package dev.grapevine.experiment;

import dev.grapevine.UserException;
import dev.grapevine.protocol.Protocol;
import dev.grapevine.settings.SettingException;
import dev.grapevine.sharing.Continuity;
import dev.grapevine.topology.Topology;

/** Whether a protocol and a sharing scheme go together. */
public final class Compatibility {

  private Compatibility() {}

  /**
   * Passes if they do.
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
