package dev.grapevine.sharing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.grapevine.exchange.Contribution;
import dev.grapevine.exchange.Received;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.Outgoing;
import dev.grapevine.message.Payload;
import dev.grapevine.settings.KindDescription;
import dev.grapevine.topology.Topology;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The recipe of a sharing scheme: class with settings, entry in the documentation, example file and
 * an entry here. Fails when a piece is missing, and puts every scheme through hostile messages.
 */
final class SharingRecipeTest {

  private static final Path ROOT = Path.of(System.getProperty("user.dir")).getParent();

  /** Settings with which a scheme runs on a model of 40 parameters. */
  private static final Map<String, String> CONFORMING = conforming();

  private static Map<String, String> conforming() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("full", "");
    settings.put("average", "values = \"float16\"");
    settings.put(
        "partial",
        "transform = \"fourier\"\nrank = \"accumulated-v1\"\nnormalized = true\nbounded = 0.2");
    settings.put("subsampling", "alpha = 0.3");
    settings.put("round-robin", "alpha = 0.3");
    settings.put("topk", "alpha = 0.3\nindices = \"auto\"");
    settings.put("topk-change", "alpha = 0.3\nindices = \"bitmap\"");
    settings.put("accumulation", "alpha = 0.3\nvalues = \"float16\"");
    settings.put("normalized", "alpha = 0.3\nindices = \"raw\"");
    settings.put("bounded", "alpha = 0.3\nschedule = {kind = \"growing\", over = 3}");
    settings.put("wavelet", "alpha = 0.3\nwavelet = \"haar\"");
    settings.put("fourier", "alpha = 0.3");
    settings.put("jwins", "level = 2");
    settings.put("jwins++", "alpha = 0.3");
    settings.put("choco", "neighbours = \"changing\"\nresync-every = 3");
    settings.put("dcd", "");
    settings.put("ecd", "compressor = {kind = \"random\", alpha = 0.5, rescale = true}");
    settings.put("ecsd", "compressor = {kind = \"topk\", alpha = 0.3}");
    settings.put("deepsqueeze", "");
    settings.put("qsgd", "bits = 5\nbucket = 7");
    settings.put("power-gossip", "");
    settings.put("moniqua", "bits = 6\ntheta = 3.0");
    settings.put("data", "");
    settings.put("none", "");
    return settings;
  }

  static Stream<String> kinds() {
    return Network.REGISTRY.kinds(Encoding.FAMILY).stream().map(KindDescription::name);
  }

  @Test
  void everySchemeConforms() {
    assertThat(kinds()).containsExactlyInAnyOrderElementsOf(CONFORMING.keySet());
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void hasADocumentationEntryWithSettingsAndMemory(String kind) throws IOException {
    String guide = Files.readString(ROOT.resolve("docs/sharing.md"));
    int from = guide.indexOf("\n## `" + kind + "`\n");
    assertThat(from).as("docs/sharing.md has a section for %s", kind).isNotNegative();
    String section = guide.substring(from + 4, guide.indexOf("\n## ", from + 4));
    assertThat(section).contains("Settings").contains("emory");
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void hasAnExampleThatChoosesIt(String kind) throws IOException {
    Path example = ROOT.resolve("examples/sharing/" + kind + ".toml");
    assertThat(example).exists();
    assertThat(Files.readString(example)).contains("[sharing]\nkind = \"" + kind + "\"");
    assertThat(Experiment.read(example)).isNotNull();
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void describesItself(String kind) {
    KindDescription<?, ?> description = Network.REGISTRY.kind(Encoding.FAMILY, kind);
    assertThat(description.summary()).isNotBlank();
    if (!kind.equals("none") && !kind.equals("average")) {
      assertThat(description.paper()).as("paper of %s", kind).isNotBlank();
    }
  }

  private static Network network(String kind, int seed) {
    Topology topology = Network.topology("regular", "degree = 3", 6, 5);
    float[] start = Network.randomModels(1, 40, seed)[0];
    return Network.of(kind, CONFORMING.get(kind), topology, Network.equalModels(6, start), seed);
  }

  private static void train(int node, float[] model, int round) {
    Random random = new Random(31L * node + round);
    for (int i = 0; i < model.length; i++) {
      model[i] += (float) (0.1 * random.nextGaussian());
    }
  }

  /** What travels is all that is needed: the harness hands over copies of the bytes. */
  @ParameterizedTest
  @MethodSource("kinds")
  void runsTheSameTwice(String kind) {
    float[][] once = run(kind).models;
    float[][] again = run(kind).models;
    assertThat(once).isDeepEqualTo(again);
    for (float[] model : once) {
      for (float value : model) {
        assertThat(value).isFinite();
      }
    }
  }

  /** All that a scheme remembers is declared: a copy that is given it goes on in the same bits. */
  @ParameterizedTest
  @MethodSource("kinds")
  void goesOnFromItsDeclaredState(String kind) {
    Network whole = run(kind);
    Network cut = network(kind, 3);
    for (int round = 0; round < 6; round++) {
      if (round == 3) {
        cut.resume();
      }
      int now = round;
      cut.round((node, model) -> train(node, model, now));
    }
    assertThat(cut.models).isDeepEqualTo(whole.models);
  }

  private static Network run(String kind) {
    Network network = network(kind, 3);
    for (int round = 0; round < 6; round++) {
      int now = round;
      network.round((node, model) -> train(node, model, now));
    }
    return network;
  }

  /**
   * Cut, lengthened, flipped and random bytes: refused with the parameters as they were, or merged
   * as what they say. Bytes that are missing or left over are refused by all.
   */
  @ParameterizedTest
  @MethodSource("kinds")
  void bearsHostileMessages(String kind) {
    Random random = new Random(11);
    for (int trial = 0; trial < 60; trial++) {
      Network network = network(kind, trial);
      List<Outgoing> outgoing = new ArrayList<>();
      for (int node = 0; node < 6; node++) {
        train(node, network.models[node], trial);
        outgoing.add(network.sharings[node].message(0, network.topology.neighbours(node, 0)));
      }
      Received honest = network.received(0, network.topology.neighbours(0, 0), outgoing);
      List<Contribution> contributions = new ArrayList<>(honest.contributions());
      int at = random.nextInt(contributions.size());
      Contribution victim = contributions.get(at);
      byte[] forged = forge(victim.payload(), random, trial);
      contributions.set(at, new Contribution(victim.sender(), victim.weight(), Payload.of(forged)));
      float[] before = network.models[0].clone();
      try {
        network.sharings[0].merge(new Received(0, honest.selfWeight(), contributions));
        assertThat(forged.length)
            .as("%s, trial %d", kind, trial)
            .isEqualTo(victim.payload().size());
        assertThat(network.models[0])
            .as("%s, trial %d: the same message again", kind, trial)
            .isEqualTo(mergedAgain(kind, trial, at, forged));
      } catch (MalformedPayloadException refused) {
        assertThat(network.models[0]).as("%s, trial %d", kind, trial).isEqualTo(before);
        assertThat(refused.sender()).as("%s, trial %d", kind, trial).hasValue(victim.sender());
        contributions.remove(at);
        network.sharings[0].merge(
            new Received(0, honest.selfWeight() + victim.weight(), contributions));
      }
    }
  }

  /** What node 0 has after the same round with the same forged message, all made anew. */
  private static float[] mergedAgain(String kind, int trial, int at, byte[] forged) {
    Network network = network(kind, trial);
    List<Outgoing> outgoing = new ArrayList<>();
    for (int node = 0; node < 6; node++) {
      train(node, network.models[node], trial);
      outgoing.add(network.sharings[node].message(0, network.topology.neighbours(node, 0)));
    }
    Received honest = network.received(0, network.topology.neighbours(0, 0), outgoing);
    List<Contribution> contributions = new ArrayList<>(honest.contributions());
    Contribution victim = contributions.get(at);
    contributions.set(at, new Contribution(victim.sender(), victim.weight(), Payload.of(forged)));
    network.sharings[0].merge(new Received(0, honest.selfWeight(), contributions));
    return network.models[0];
  }

  private static byte[] forge(Payload payload, Random random, int trial) {
    ByteBuffer in = payload.buffer();
    byte[] bytes = new byte[in.remaining()];
    in.get(bytes);
    switch (trial % 4) {
      case 0 -> {
        return Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
      }
      case 1 -> {
        return Arrays.copyOf(bytes, bytes.length + 1 + random.nextInt(9));
      }
      case 2 -> {
        for (int i = 0; i < 3 && bytes.length > 0; i++) {
          bytes[random.nextInt(Math.min(24, bytes.length))] ^= (byte) (1 << random.nextInt(8));
        }
        return bytes;
      }
      default -> {
        random.nextBytes(bytes);
        return bytes;
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "subsampling | alpha = 0.0 | alpha must be in (0, 1]",
        "topk | alpha = 1.5 | alpha must be in (0, 1]",
        "accumulation | version = 3 | version must be 1 or 2",
        "normalized | epsilon = 0.0 | epsilon must be above 0",
        "bounded | alpha-low = 1.0 | alpha-low must be in [0, 1)",
        "wavelet | wavelet = \"db99\" | db99",
        "wavelet | level = 0 | level must be at least 1",
        "jwins | alphas = [] | alphas must not be empty",
        "jwins | alphas = [0.1, 2.0] | alphas must be in (0, 1]",
        "jwins++ | values = {kind = \"zfp\", tolerance = 0.0} | tolerance",
        "choco | gamma = 0.0 | gamma must be in (0, 1]",
        "choco | resync-every = -1 | resync-every must not be negative",
        "deepsqueeze | eta = 2.0 | eta must be in (0, 1]",
        "qsgd | bits = 1 | bits must be from 2 to 16",
        "power-gossip | rank = 0 | rank must be at least 1",
        "choco | trigger = -1.0 | trigger must not be negative",
        "moniqua | bits = 1 | bits must be from 2 to 16",
        "moniqua | theta = 0.0 | theta must be above 0",
        "moniqua | gamma = 2.0 | gamma must be in (0, 1]",
        "data | samples = 0 | samples must be at least 1",
      })
  void refusesBadSettingsWithTheAllowedRange(String kind, String settings, String complaint) {
    assertThatThrownBy(() -> Network.REGISTRY.choose(Encoding.FAMILY, kind, settings))
        .hasMessageContaining(complaint);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "dcd | compressor = \"topk\" | unbiased",
        "ecd | compressor = \"random\" | unbiased",
        "jwins | level = 9 | level",
        "topk | schedule = {kind = \"growing\", to = 0.05} | to must be at least alpha",
      })
  void refusesSettingsThatDoNotFitTheModel(String kind, String settings, String complaint) {
    Topology ring = Network.topology("ring", "", 4, 1);
    assertThatThrownBy(() -> Network.of(kind, settings, ring, new float[4][40], 1))
        .hasMessageContaining(complaint);
  }
}
