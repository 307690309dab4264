package dev.grapevine.app.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.app.CommandRun;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.experiment.ExperimentCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.tomlj.Toml;
import org.tomlj.TomlParseResult;

/** What an imported configuration means is what it meant before, or is named. */
class ImportedMeaningTest {

  private static final String TRAINING =
      """
      [OPTIMIZER_PARAMS]
      optimizer_package = torch.optim
      optimizer_class = SGD
      lr = 0.01
      [TRAIN_PARAMS]
      training_package = decentralizepy.training.Training
      training_class = Training
      rounds = 10
      full_epochs = False
      batch_size = 16
      shuffle = True
      loss_package = torch.nn
      loss_class = %s
      [COMMUNICATION]
      comm_package = decentralizepy.communication.TCP
      comm_class = TCP
      addresses_filepath = ip.json
      [SHARING]
      %s
      """;

  private static final String JWINS =
      """
      sharing_class = JWINS
      change_based_selection = True
      alpha_list = [0.1,0.15,0.2,0.25,0.3,0.4,1.0]
      wavelet=sym2
      level= 4
      accumulation = True
      accumulate_averaging_changes = True
      metadata_cap = 0.5
      compression_package = decentralizepy.compression.EliasFpzip
      compression_class = EliasFpzip
      compress = True
      """;

  @TempDir private Path folder;

  private static String config(String data, String loss, String sharing) {
    return "[DATASET]\n" + data + "\n" + TRAINING.formatted(loss, sharing);
  }

  private static String cifar(String sharing) {
    return config(
        "dataset_class = CIFAR10\nmodel_class = LeNet\nsizes =\npartition_niid = iid",
        "CrossEntropyLoss",
        sharing);
  }

  private CommandRun imported(String config, Object... options) throws IOException {
    Path ini = Files.writeString(folder.resolve("config.ini"), config);
    Files.deleteIfExists(folder.resolve("experiment.toml"));
    List<Object> arguments =
        new ArrayList<>(List.of("import", ini, "--out", folder.resolve("experiment.toml")));
    arguments.addAll(List.of(options));
    CommandRun run = CommandRun.of(arguments.toArray());
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run;
  }

  private TomlParseResult toml(String config) throws IOException {
    imported(config);
    return Toml.parse(folder.resolve("experiment.toml"));
  }

  private void check() {
    ExperimentCheck.check(Experiment.read(folder.resolve("experiment.toml")), folder);
  }

  /** The data sets and schemes of the configurations that DecentralizePy comes with. */
  static List<Arguments> patterns() {
    List<Arguments> patterns = new ArrayList<>();
    for (String data :
        List.of(
            "Celeba CNN CrossEntropyLoss",
            "Femnist CNN CrossEntropyLoss",
            "Reddit RNN CrossEntropyLoss",
            "Shakespeare LSTM CrossEntropyLoss",
            "MovieLens MatrixFactorization MSELoss",
            "CIFAR10 LeNet CrossEntropyLoss")) {
      for (String sharing :
          List.of(
              "sharing_class = Sharing",
              "sharing_class = PartialModel\nalpha=0.5",
              "sharing_class = SubSampling\nalpha = 0.1",
              JWINS)) {
        patterns.add(Arguments.of(data, sharing));
      }
    }
    return patterns;
  }

  @ParameterizedTest
  @MethodSource("patterns")
  void everyPatternPassesTheCheck(String data, String sharing) throws IOException {
    String[] parts = data.split(" ");
    imported(
        config(
            "dataset_class = %s\nmodel_class = %s\nsizes =\nrandom_seed = 97"
                .formatted(parts[0], parts[1]),
            parts[2],
            sharing));
    check();
  }

  @Test
  void epidemicLearningDrawsItsOwnGraphs() throws IOException {
    Path graph = Files.writeString(folder.resolve("graph.txt"), "16\n0 1\n1 2\n");
    String epidemic =
        cifar("sharing_class = PlainAverageSharing\ncompress = False\n[NODE]\ngraph_degree = 7");
    CommandRun run = imported(epidemic, "--graph", graph);
    assertThat(run.out()).contains("--graph").contains("only the number of nodes is taken");
    check();
    TomlParseResult toml = Toml.parse(folder.resolve("experiment.toml"));
    assertThat(toml.getString("protocol.kind")).isEqualTo("el-oracle");
    assertThat(toml.getLong("nodes.count")).isEqualTo(16);
    assertThat(toml.contains("topology")).isFalse();
  }

  @Test
  void wholeModelsAreCompressedToo() throws IOException {
    String fpzip = "\ncompress = True\ncompression_class = EliasFpzip";
    assertThat(toml(cifar("sharing_class = Sharing" + fpzip)).getString("sharing.values"))
        .isEqualTo("fpzip");
    assertThat(
            toml(cifar("sharing_class = PlainAverageSharing" + fpzip)).getString("sharing.values"))
        .isEqualTo("fpzip");
    assertThat(
            toml(cifar("sharing_class = Choco\nstep_size = 0.3\nalpha = 0.2" + fpzip))
                .getString("sharing.compressor.values"))
        .isEqualTo("fpzip");
    check();
    assertThat(
            toml(cifar("sharing_class = Sharing\n" + fpzip.replace("True", "False")))
                .contains("sharing.values"))
        .isFalse();
  }

  @Test
  void theDomainAndTheRankAreKept() throws IOException {
    TomlParseResult change = toml(cifar("sharing_class = Wavelet\nalpha = 0.1"));
    assertThat(change.getString("sharing.kind")).isEqualTo("partial");
    assertThat(change.getString("sharing.rank")).isEqualTo("change");
    assertThat(change.getString("sharing.transform.wavelet")).as("their default").isEqualTo("haar");
    check();
    TomlParseResult magnitude =
        toml(cifar("sharing_class = FFT\nalpha = 0.1\nchange_based_selection = False"));
    assertThat(magnitude.getString("sharing.rank")).isEqualTo("magnitude");
    assertThat(magnitude.getString("sharing.transform")).isEqualTo("fourier");
    check();
    TomlParseResult first =
        toml(cifar("sharing_class = JWINS\nwavelet = sym2\naccumulation = True"));
    assertThat(first.getString("sharing.rank")).isEqualTo("accumulated-v1");
    assertThat(first.getString("sharing.budget.kind")).isEqualTo("random");
    check();
    TomlParseResult second =
        toml(
            cifar(
                "sharing_class = Wavelet\nwavelet = sym2\nalpha = 0.1\naccumulation = True\n"
                    + "accumulate_averaging_changes = True"));
    assertThat(second.getString("sharing.kind")).isEqualTo("wavelet");
    assertThat(second.getLong("sharing.level")).isEqualTo(4);
  }

  @Test
  void aShareFromTheCapOnIsEverything() throws IOException {
    TomlParseResult toml =
        toml(cifar(JWINS.replace("[0.1,0.15,0.2,0.25,0.3,0.4,1.0]", "[0.1, 0.6]")));
    assertThat(toml.getArray("sharing.alphas").toList()).isEqualTo(List.of(0.1, 1.0));
    assertThat(
            toml(cifar("sharing_class = PartialModel\nalpha = 0.6\nmetadata_cap = 0.5"))
                .getDouble("sharing.alpha"))
        .isEqualTo(1.0);
  }

  @Test
  void codecsAreTranslatedOrNamed() throws IOException {
    String partial = "sharing_class = PartialModel\nalpha = 0.1\ncompress = True\n";
    assertThat(toml(cifar(partial + "compression_class = Lz4Wrapper")).getString("sharing.indices"))
        .isEqualTo("lz4");
    check();
    assertThat(
            toml(cifar(partial + "compression_class = EliasFpzipLossy"))
                .getLong("sharing.values.precision"))
        .isEqualTo(16);
    CommandRun quantized = imported(cifar(partial + "compression_class = EliasQuantization"));
    assertThat(quantized.out())
        .contains("SHARING.compression_class = EliasQuantization")
        .contains("raw values are used");
    assertThat(
            toml(cifar("sharing_class = PartialModel\nalpha = 0.1")).getString("sharing.indices"))
        .as("theirs travel as they are")
        .isEqualTo("raw");
  }

  @Test
  void partitionsAreTranslatedOrNamed() throws IOException {
    String cifar = cifar("sharing_class = Sharing");
    CommandRun simple = imported(cifar.replace("= iid", "= simple"));
    assertThat(simple.out()).contains("DATASET.partition_niid = simple").contains("in the order");
    CommandRun silent = imported(cifar.replace("partition_niid = iid", ""));
    assertThat(silent.out()).contains("partition_niid = simple, its default");
    TomlParseResult shards = toml(cifar.replace("= iid", "= kshard"));
    assertThat(shards.getLong("data.shards-per-node")).as("their default").isEqualTo(1);
    assertThat(toml(cifar.replace("= iid", "= dirichlet")).getDouble("data.alpha")).isEqualTo(100);
    TomlParseResult validated =
        toml(cifar.replace("= iid", "= iid\nvalidation_source = Test\nvalidation_size = 0.1"));
    assertThat(validated.getString("data.validation-from")).isEqualTo("test");
    assertThat(validated.getDouble("data.validation")).isEqualTo(0.1);
    assertThat(validated.getBoolean("evaluation.validation")).isTrue();
    check();
  }
}
