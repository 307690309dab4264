package dev.grapevine.app.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.app.Grapevine;
import dev.grapevine.app.plot.SomeRuns;
import dev.grapevine.experiment.Experiment;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tomlj.Toml;
import org.tomlj.TomlParseResult;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

final class ExchangeTest {

  private static final String CONFIG =
      """
      [DATASET]
      dataset_package = decentralizepy.datasets.CIFAR10
      dataset_class = CIFAR10
      model_class = LeNet
      ; a comment
      train_dir = ../eval/data/
      sizes =
      random_seed = 91
      partition_niid = kshard
      shards = 4

      [OPTIMIZER_PARAMS]
      optimizer_class = SGD
      lr = .05 ; gamma

      [TRAIN_PARAMS]
      training_class = Training
      rounds = 3
      full_epochs = False
      batch_size = 8
      shuffle = True
      loss_class = CrossEntropyLoss

      [COMMUNICATION]
      comm_class = TCP
      addresses_filepath = ip.json

      [SHARING]
      sharing_class = JWINS
      change_based_selection = True
      alpha_list = [0.1,0.2,1.0]
      wavelet=sym2
      level= 4
      accumulation = True
      accumulate_averaging_changes = True
      metadata_cap = 0.5
      compression_class = EliasFpzip
      compress = True
      """;

  @TempDir Path dir;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(Object... arguments) {
    CommandLine command = Grapevine.commandLine();
    command.setOut(new PrintWriter(out));
    command.setErr(new PrintWriter(err));
    return command.execute(Arrays.stream(arguments).map(String::valueOf).toArray(String[]::new));
  }

  private TomlParseResult imported(String config, Object... options) throws IOException {
    Path ini = Files.writeString(dir.resolve("config.ini"), config);
    Path toml = dir.resolve("experiment.toml");
    Files.deleteIfExists(toml);
    Object[] arguments = new Object[options.length + 4];
    System.arraycopy(options, 0, arguments, 4, options.length);
    arguments[0] = "import";
    arguments[1] = ini;
    arguments[2] = "--out";
    arguments[3] = toml;
    assertThat(run(arguments)).as(err.toString()).isZero();
    TomlParseResult parsed = Toml.parse(toml);
    assertThat(parsed.errors()).isEmpty();
    assertThat(Experiment.read(toml)).isNotNull();
    return parsed;
  }

  @Test
  void aConfigurationBecomesAnExperiment() throws IOException {
    Path graph = Files.writeString(dir.resolve("ring.txt"), "4\n0 1\n1 2\n2 3\n3 0\n");
    TomlParseResult toml = imported(CONFIG, "--graph", graph, "--rounds", 300);
    assertThat(toml.getString("name")).isEqualTo("config");
    assertThat(toml.getLong("seed")).isEqualTo(91);
    assertThat(toml.getLong("rounds")).isEqualTo(300);
    assertThat(toml.getLong("nodes.count")).isEqualTo(4);
    assertThat(toml.getString("topology.path")).isEqualTo("ring.txt");
    assertThat(toml.getString("data.set")).isEqualTo("cifar10");
    assertThat(toml.getLong("data.shards-per-node")).isEqualTo(4);
    assertThat(toml.getString("model.kind")).isEqualTo("gn-lenet");
    assertThat(toml.getDouble("training.rate")).isEqualTo(0.05);
    assertThat(toml.getLong("training.steps")).isEqualTo(3);
    assertThat(toml.getString("sharing.kind")).isEqualTo("jwins");
    assertThat(toml.getArray("sharing.alphas").size()).isEqualTo(3);
    assertThat(toml.getString("sharing.values")).isEqualTo("fpzip");
    assertThat(toml.getString("network.transport")).isEqualTo("tcp");
  }

  @Test
  void whatHasNoCounterpartIsListed() throws IOException {
    imported(CONFIG);
    assertThat(out.toString())
        .contains("COMMUNICATION.addresses_filepath = ip.json")
        .contains("DATASET.train_dir")
        .doesNotContain("lr =")
        .doesNotContain("SHARING.accumulation =");
    assertThat(Files.readString(dir.resolve("experiment.toml"))).contains("#   DATASET.train_dir");
  }

  @Test
  void otherSchemesAreKnownToo() throws IOException {
    String rest = "[DATASET]\ndataset_class = Femnist\nmodel_class = CNN\n[SHARING]\n";
    TomlParseResult bounded =
        imported(
            rest
                + "sharing_class = LowerBoundTopK\nlower_bound = 0.1\nalpha = 0.2\n"
                + "accumulation = True\naccumulate_averaging_changes = True\n");
    assertThat(bounded.getString("sharing.kind")).isEqualTo("bounded");
    assertThat(bounded.getDouble("sharing.alpha-low")).isEqualTo(0.1);
    assertThat(bounded.getLong("sharing.version")).isEqualTo(2);
    assertThat(bounded.getString("data.partition")).isEqualTo("natural");
    TomlParseResult random =
        imported(
            rest + "sharing_class = RandomAlpha\nalpha_list = [0.1, 0.5]\naccumulation=True\n");
    assertThat(random.getString("sharing.schedule.kind")).isEqualTo("random");
    TomlParseResult dynamic =
        imported(rest + "sharing_class = PlainAverageSharing\n[NODE]\ngraph_degree = 7\n");
    assertThat(dynamic.getString("sharing.kind")).isEqualTo("average");
    assertThat(dynamic.getString("protocol.kind")).isEqualTo("el-oracle");
    assertThat(dynamic.getLong("protocol.peers")).isEqualTo(7);
    imported(rest + "sharing_class = Nonsense\n");
    assertThat(out.toString()).contains("SHARING.sharing_class = Nonsense (no such scheme");
  }

  @Test
  void adjacencyGraphsAreRecognized() throws IOException {
    Path graph = Files.writeString(dir.resolve("graph.txt"), "3\n1 2\n0\n0\n");
    TomlParseResult toml = imported(CONFIG, "--graph", graph);
    assertThat(toml.getString("topology.format")).isEqualTo("adjacency");
  }

  @Test
  void mistakesAreToldInWords() throws IOException {
    assertThat(run("import", dir.resolve("none.ini"))).isEqualTo(2);
    Path bad = Files.writeString(dir.resolve("bad.ini"), "[DATASET]\nwhat is this\n");
    assertThat(run("import", bad)).isEqualTo(2);
    assertThat(err.toString()).contains("bad.ini:2: neither a [SECTION]");
    Path foreign = Files.writeString(dir.resolve("foreign.ini"), "[A]\nb = c\n");
    assertThat(run("import", foreign)).isEqualTo(2);
    assertThat(err.toString()).contains("not a DecentralizePy configuration");
  }

  @Test
  void resultsAreWrittenAsDecentralizePyHasThem() throws IOException {
    Path run = SomeRuns.write(dir, "full", 90, 0.7);
    assertThat(run("export", run, "--format", "decentralizepy")).as(err.toString()).isZero();
    JsonNode json =
        JsonMapper.shared().readTree(run.resolve("decentralizepy/3_results.json").toFile());
    assertThat(json.propertyNames())
        .containsExactly(
            "train_loss",
            "test_loss",
            "test_acc",
            "validation_loss",
            "validation_acc",
            "total_bytes",
            "total_meta",
            "total_data_per_n");
    assertThat(json.get("test_acc").size()).isEqualTo(10);
    assertThat(json.get("train_loss"))
        .as("DecentralizePy's is measured on the training set, which this run did not do")
        .isEmpty();
    assertThat(out.toString()).contains("train_loss is empty", "evaluation.training-set = true");
    assertThat(json.get("test_acc").get("50").asDouble()).isBetween(60.0, 75.0);
    assertThat(json.get("total_bytes").get("50").asDouble()).isEqualTo(50_000);
    assertThat(json.get("total_data_per_n").get("50").asDouble()).isEqualTo(49_500);
  }

  @Test
  void anEmptyRunIsTold() throws IOException {
    Path run = Files.createDirectory(dir.resolve("empty"));
    Files.writeString(run.resolve("metrics.csv"), "node,rou");
    assertThat(run("export", run, "--format", "decentralizepy")).isEqualTo(2);
    assertThat(err.toString()).contains("has not recorded anything yet");
  }
}
