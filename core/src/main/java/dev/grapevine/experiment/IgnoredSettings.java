package dev.grapevine.experiment;

import dev.grapevine.network.NetworkSettings;
import dev.grapevine.runtime.churn.Absence;
import dev.grapevine.runtime.churn.Churn;
import dev.grapevine.runtime.churn.Moment;
import dev.grapevine.settings.SectionValues;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Settings that are given but have no effect in the run they are given for. One that is written
 * with its default value is none: a recorded experiment writes all of them.
 */
final class IgnoredSettings {

  private IgnoredSettings() {}

  static List<String> of(Experiment experiment) {
    List<String> ignored = new ArrayList<>();
    boolean simulated = experiment.runtime().name().equals("simulated");
    NetworkSettings network = experiment.network();
    if (simulated) {
      add(ignored, experiment, "transport", "runtime.kind is simulated, where no sockets are used");
      add(
          ignored,
          experiment,
          "shaped",
          "runtime.kind is simulated, where links are always modelled");
    } else if (experiment.runtime().name().equals("live") && !network.shaped()) {
      add(
          ignored,
          experiment,
          "link",
          "runtime.kind is live, where messages take the time they take; set network.shaped = true to"
              + " hold them back, or runtime.kind = \"simulated\" to model links");
    }
    if (simulated || network.transport() == NetworkSettings.TransportKind.MEMORY) {
      String reason = simulated ? "runtime.kind is simulated" : "network.transport is memory";
      add(ignored, experiment, "payload-limit", reason + "; it bounds TCP payloads");
      add(ignored, experiment, "open-links", reason + "; it bounds TCP connections");
    }
    firstAbsence(experiment)
        .filter(first -> first.isRound() && first.at() >= experiment.rounds())
        .ifPresent(first ->
            ignored.add(
                "faults.churn has no effect: nobody goes before %s, and the run has %d rounds, counted"
                        .formatted(first, experiment.rounds())
                    + " from 0"));
    return List.copyOf(ignored);
  }

  /** When anybody goes down first; empty if nobody does, or if that cannot be said. */
  private static Optional<Moment> firstAbsence(Experiment experiment) {
    Churn churn = experiment.faults().churn();
    List<Moment> firsts = new ArrayList<>();
    for (int node = 0; node < experiment.nodes().count(); node++) {
      Iterator<Absence> absences = churn.absences(node);
      if (absences.hasNext()) {
        firsts.add(absences.next().from());
      }
    }
    // Who goes by the clock may do so in any round.
    return firsts.stream().allMatch(Moment::isRound)
        ? firsts.stream().min(Comparator.naturalOrder())
        : Optional.empty();
  }

  private static void add(List<String> ignored, Experiment experiment, String key, String reason) {
    SectionValues given = experiment.section("network");
    Map<String, String> usual = experiment.document().withDefaults("network").toToml();
    if (!String.valueOf(given.toToml().get(key)).equals(usual.get(key))) {
      ignored.add("network.%s has no effect: %s".formatted(key, reason));
    }
  }
}
