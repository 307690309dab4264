package dev.grapevine.protocol;

import dev.grapevine.settings.Choice;
import dev.grapevine.settings.Registry;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a protocol, with some settings, promises on quadratics: the table that the conformance kit
 * walks through.
 *
 * @param kind the protocol's name
 * @param settings its settings
 * @param style who waits for whom
 * @param mixing what plain mixing does
 * @param error root mean square distance of the mean of the results from the optimum
 * @param spread root mean square distance of the results from their mean
 */
record Entry(
    String kind, String settings, Style style, Mixing mixing, double error, double spread) {

  static final Registry REGISTRY = Registry.load();

  /** Who waits for whom, and where the result is. */
  enum Style {
    /** All nodes go through the rounds in step. */
    IN_STEP,
    /** Likewise, after a time in which messages are handled as they come. */
    IN_STEP_AFTER_GOSSIP,
    /** Nobody waits for the slowest. */
    ASYNCHRONOUS,
    /** In step with a server that owns the model. */
    SERVER,
    /** Nobody waits for the slowest; a server owns the model. */
    ASYNCHRONOUS_SERVER;

    boolean hasServerModel() {
      return this == SERVER || this == ASYNCHRONOUS_SERVER;
    }

    /** Whether the outcome does not depend on the order of messages. */
    boolean isInStep() {
      return this == IN_STEP || this == SERVER;
    }
  }

  /** What mixing does to the models when training does nothing. */
  enum Mixing {
    NONE,
    CONSENSUS,
    KEEPS_MEAN
  }

  static List<Entry> all() {
    return List.of(
        inStep("d-psgd", "", 1e-3, 0.2),
        new Entry("no-communication", "", Style.IN_STEP, Mixing.NONE, 1e-3, 2),
        inStep("peer-sampler", "", 1e-3, 0.2),
        inStep("el-oracle", "peers = 4", 1e-3, 0.2),
        asynchronous("el-local", "peers = 3\ndeadline = \"60 ms\""),
        asynchronous("el-local", "peers = 3\ndeadline = \"60 ms\"\nsampler = \"gossip\"\nview = 6"),
        server("federated", "", 1e-3),
        server("federated", "proximal = 0.5\nweighting = \"uniform\"", 1e-3),
        server("federated", "momentum = 0.5", 1e-3),
        server("federated", "fraction = 0.5", 0.2),
        server("parameter-server", "", 1e-3),
        new Entry(
            "parameter-server",
            "mode = \"asynchronous\"",
            Style.ASYNCHRONOUS_SERVER,
            Mixing.NONE,
            0.5,
            0),
        server("stc", "sparsity = 0.3", 0.1),
        server("stc", "sparsity = 0.3\nfraction = 0.5", 0.3),
        new Entry("ad-psgd", "", Style.ASYNCHRONOUS, Mixing.KEEPS_MEAN, 0.02, 0.5),
        asynchronous("gossip", "direction = \"push\""),
        asynchronous("gossip", "direction = \"pull\""),
        asynchronous("gossip", "direction = \"push-pull\""),
        asynchronous("gossip", "tokens = true"),
        asynchronous("random-walk", ""),
        asynchronous("random-walk", "adaptive = false\nfuel = 5"),
        new Entry(
            "random-walk",
            "synchronous = true",
            Style.IN_STEP_AFTER_GOSSIP,
            Mixing.CONSENSUS,
            0.3,
            0.3),
        new Entry(
            "dynamic-graph",
            "advertise-every = 1\nlower = 2\nupper = 5",
            Style.IN_STEP_AFTER_GOSSIP,
            Mixing.KEEPS_MEAN,
            1e-3,
            0.3),
        new Entry("knn", "k = 3", Style.IN_STEP_AFTER_GOSSIP, Mixing.KEEPS_MEAN, 1e-3, 0.3),
        inStep("push-sum", "", 1e-3, 0.2),
        inStep("d2", "", 1e-3, 1e-3),
        inStep("gradient-tracking", "", 1e-3, 1e-3),
        inStep("gradient-tracking", "form = \"diging\"", 1e-3, 1e-3),
        inStep("gradient-tracking", "form = \"atc\"", 1e-3, 1e-3),
        new Entry("all-reduce", "", Style.IN_STEP, Mixing.KEEPS_MEAN, 1e-3, 1e-12),
        inStep("exact-diffusion", "", 1e-3, 1e-3),
        inStep("nids", "", 1e-3, 1e-3),
        inStep("extra", "", 1e-3, 1e-3),
        inStep("qg-dsgdm", "momentum = 0.5\ndecay = 0.5", 1e-3, 0.2),
        inStep("decentlam", "momentum = 0.5", 1e-3, 0.2),
        inStep("k-gt", "", 1e-3, 1e-3),
        server("scaffold", "", 1e-3),
        server("scaffold", "fraction = 0.5", 0.2),
        server("fedopt", "rate = 0.1", 0.1),
        server("fedopt", "rule = \"yogi\"\nrate = 0.1", 0.1),
        server("fedopt", "rule = \"adagrad\"\nrate = 0.3", 0.1),
        inStep("beer", "", 1e-3, 1e-3),
        inStep("gt-hsgd", "", 1e-3, 1e-3),
        inStep("dfedsam", "", 0.02, 0.2),
        inStep("dfedsam", "mixes = 3", 0.02, 0.1),
        new Entry("relay-sgd", "", Style.IN_STEP, Mixing.CONSENSUS, 1e-2, 1e-2),
        inStep("overlap-sgp", "", 1e-3, 0.2),
        inStep("overlap-sgp", "delay = 3", 1e-3, 0.3),
        asynchronous("swift", ""),
        asynchronous("swift", "keep = false\nskip = 1"),
        asynchronous("div-share", "fragment = 0.3\npeers = 3\ndeadline = \"60 ms\""),
        inStep("shatter", "fragments = 3", 1e-3, 0.2),
        inStep("ngc", "momentum = 0.5\ndecay = 0.5", 1e-3, 0.2),
        inStep("ngc", "alpha = 0.0\nmomentum = 0.0", 1e-3, 0.2));
  }

  private static Entry inStep(String kind, String settings, double error, double spread) {
    return new Entry(kind, settings, Style.IN_STEP, Mixing.KEEPS_MEAN, error, spread);
  }

  private static Entry server(String kind, String settings, double error) {
    return new Entry(kind, settings, Style.SERVER, Mixing.NONE, error, 0);
  }

  private static Entry asynchronous(String kind, String settings) {
    return new Entry(kind, settings, Style.ASYNCHRONOUS, Mixing.CONSENSUS, 0.3, 0.5);
  }

  Choice<ProtocolContext, Protocol> choice() {
    return REGISTRY.choose(Protocol.FAMILY, kind, settings);
  }

  @Override
  public String toString() {
    Map<String, String> words = new TreeMap<>();
    settings.lines().forEach(line -> words.put(line, ""));
    return kind + words.keySet();
  }
}
