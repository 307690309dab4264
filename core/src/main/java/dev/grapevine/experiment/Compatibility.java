package dev.grapevine.experiment;

import dev.grapevine.UserException;
import dev.grapevine.aggregation.Aggregator;
import dev.grapevine.privacy.Privacy;
import dev.grapevine.protocol.Protocol;
import dev.grapevine.settings.Choice;
import dev.grapevine.settings.SettingException;
import dev.grapevine.sharing.Continuity;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.topology.Topology;

/**
 * Whether the parts of a node go together, asked by what each can do: the protocol with the
 * topology, the sharing scheme with the protocol, with the rule of aggregation and with how the
 * nodes start.
 */
public final class Compatibility {

  private Compatibility() {}

  /**
   * Passes if they do.
   *
   * @throws UserException with the place of the setting to change
   */
  public static void require(
      Experiment experiment,
      Protocol protocol,
      Encoding encoding,
      Aggregator rule,
      Topology topology) {
    String sharing = experiment.sharing().name();
    String aggregation = experiment.aggregation().name();
    String protocolName = experiment.protocol().name();
    boolean isPlain = encoding.isWhole() && encoding.addsUp();
    if (!protocol.usesSharing() && !isPlain) {
      throw mistake(
          experiment,
          "sharing",
          "protocol %s does not use sharing %s: it sends updates in an encoding of its own; leave out"
              + " the table [sharing]",
          protocolName,
          sharing);
    }
    protocol
        .objection(topology)
        .ifPresent(reason -> {
          throw mistake(
              experiment,
              "topology",
              "protocol %s does not work on topology %s: %s",
              protocolName,
              experiment.topology().name(),
              reason);
        });
    protocol
        .objection(encoding, rule, topology)
        .ifPresent(reason -> {
          throw mistake(
              experiment,
              "sharing",
              "protocol %s does not work with sharing %s%s: %s",
              protocolName,
              sharing,
              rule.isLinear() ? "" : " and aggregation " + aggregation,
              reason);
        });
    if (encoding.isLinear() && !rule.isLinear()) {
      throw mistake(
          experiment,
          "aggregation",
          "aggregation %s looks at each neighbour's model, and sharing %s knows only their weighted"
              + " sum; take aggregation.kind = \"weighted\", or a scheme that knows each neighbour,"
              + " such as full, jwins++ or choco with neighbours = \"changing\"",
          aggregation,
          sharing);
    }
    if (!encoding.carriesVectors() && !rule.isLinear()) {
      throw mistake(
          experiment,
          "aggregation",
          "there is nothing for aggregation %s to combine: the messages of sharing %s hold no models;"
              + " leave out the table [aggregation]",
          aggregation,
          sharing);
    }
    if (encoding.continuity() == Continuity.NEIGHBOURS
        && !experiment.churn().name().equals("none")) {
      throw mistake(
          experiment,
          "sharing",
          "nodes of sharing %s add up what their neighbours have told them, and one that comes back"
              + " has not heard it; take choco with neighbours = \"changing\", or a scheme without"
              + " memory, where nodes come and go",
          sharing);
    }
    if (encoding.needsSameStart() && !experiment.nodes().sameStart()) {
      throw experiment
          .section("nodes")
          .mistake(
              new SettingException(
                  "same-start",
                  ("sharing %s needs all nodes to start from the same weights: same-start=false;"
                          + " set same-start = true, or take choco with start = \"zero\"")
                      .formatted(sharing)));
    }
  }

  /**
   * Passes if the table {@code [privacy]} goes with one node's parts.
   *
   * @param all the experiment as most nodes have it
   * @param view the experiment as this node has it
   */
  static void requirePrivacy(
      Experiment all,
      Experiment view,
      Protocol protocol,
      Encoding encoding,
      Aggregator rule,
      Topology topology) {
    Privacy privacy = all.privacy().create();
    if (privacy.isNone()) {
      return;
    }
    privacy
        .objection(encoding, rule, protocol.senders(topology))
        .ifPresent(reason -> {
          throw mistake(
              all,
              "privacy",
              "privacy %s: %s (protocol %s, sharing %s, aggregation %s)",
              all.privacy().name(),
              reason,
              view.protocol().name(),
              view.sharing().name(),
              view.aggregation().name());
        });
    if (view != all
        && !(isSame(all.sharing(), view.sharing()) && isSame(all.protocol(), view.protocol()))) {
      throw mistake(
          all,
          "privacy",
          "privacy %s needs all nodes to share the same coordinates in the same way, and an override"
              + " changes [sharing] or [protocol] for some of them; leave that out",
          all.privacy().name());
    }
  }

  private static boolean isSame(Choice<?, ?> one, Choice<?, ?> other) {
    return one.name().equals(other.name()) && one.settings().equals(other.settings());
  }

  private static UserException mistake(
      Experiment experiment, String section, String message, Object... values) {
    return experiment
        .section(section)
        .mistake(new SettingException("kind", message.formatted(values)));
  }
}
