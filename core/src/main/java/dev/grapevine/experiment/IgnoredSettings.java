package dev.grapevine.experiment;

import dev.grapevine.network.NetworkSettings;
import dev.grapevine.settings.SectionValues;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

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
    return List.copyOf(ignored);
  }

  private static void add(List<String> ignored, Experiment experiment, String key, String reason) {
    SectionValues given = experiment.section("network");
    Map<String, String> usual = experiment.document().withDefaults("network").toToml();
    if (!String.valueOf(given.toToml().get(key)).equals(usual.get(key))) {
      ignored.add("network.%s has no effect: %s".formatted(key, reason));
    }
  }
}
