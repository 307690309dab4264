package dev.grapevine.app.exchange;

import dev.grapevine.UserException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;

/**
 * Turns a DecentralizePy configuration into the tables of an experiment file. What has no
 * counterpart is collected, with the reason where one is known.
 */
final class DecentralizePyConfig {

  private static final Map<String, String> DATA_SETS =
      Map.of(
          "CIFAR10", "cifar10",
          "MNIST", "mnist",
          "Femnist", "femnist",
          "FEMNIST", "femnist",
          "Celeba", "celeba",
          "Shakespeare", "shakespeare",
          "Reddit", "reddit",
          "MovieLens", "movielens-small",
          "Synthetic", "leaf-synthetic");

  /** Model classes are named per data set; DecentralizePy's LeNet is the one with GroupNorm. */
  private static final Map<String, String> MODELS =
      Map.ofEntries(
          Map.entry("cifar10 LeNet", "gn-lenet"),
          Map.entry("cifar10 GN_LeNet", "gn-lenet"),
          Map.entry("cifar10 CNN", "cifar10-cnn"),
          Map.entry("cifar10 ResNet18", "resnet18"),
          Map.entry("cifar10 ResNet20", "resnet20"),
          Map.entry("femnist CNN", "femnist-cnn"),
          Map.entry("femnist LogisticRegression", "femnist-logistic"),
          Map.entry("femnist RNET", "femnist-resnet18"),
          Map.entry("femnist ResNet", "femnist-resnet18"),
          Map.entry("celeba CNN", "celeba-cnn"),
          Map.entry("shakespeare LSTM", "shakespeare-lstm"),
          Map.entry("reddit RNN", "reddit-lstm"),
          Map.entry("reddit LSTM", "reddit-lstm"),
          Map.entry("movielens-small MatrixFactorization", "matrix-factorization"));

  private static final Map<String, String> OPTIMIZERS =
      Map.of("SGD", "sgd", "Adam", "adam", "AdamW", "adamw");

  private final IniFile ini;
  private final SequencedMap<String, SequencedMap<String, String>> tables = new LinkedHashMap<>();
  private final List<String> without = new ArrayList<>();

  private DecentralizePyConfig(IniFile ini) {
    this.ini = ini;
  }

  static DecentralizePyConfig of(IniFile ini) {
    DecentralizePyConfig config = new DecentralizePyConfig(ini);
    config.data();
    config.training();
    config.sharing();
    config.network();
    config.without.addAll(ini.left());
    return config;
  }

  /** TOML tables by name, each key to its TOML value; the table without a name is the top. */
  SequencedMap<String, SequencedMap<String, String>> tables() {
    return tables;
  }

  /** What could not be taken over. */
  List<String> without() {
    return without;
  }

  /** Sets a value that is TOML already. */
  void set(String table, String key, String toml) {
    tables.computeIfAbsent(table, t -> new LinkedHashMap<>()).put(key, toml);
  }

  private void setText(String table, String key, String text) {
    set(table, key, '"' + text + '"');
  }

  /** Takes a number over under another name. */
  private void number(String section, String from, String table, String to) {
    ini.take(section, from)
        .ifPresent(value -> {
          if (value.matches("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?")) {
            set(table, to, tomlNumber(value));
          } else {
            without.add(section + "." + from + " = " + value + " (not a number)");
          }
        });
  }

  /** TOML wants digits on both sides of the point. */
  private static String tomlNumber(String value) {
    return value.replaceFirst("^([+-]?)\\.", "$10.").replaceFirst("\\.(?=$|[eE])", ".0");
  }

  private void ignore(String section, String... keys) {
    for (String key : keys) {
      ini.take(section, key);
    }
  }

  private void data() {
    ignore("DATASET", "dataset_package");
    number("DATASET", "random_seed", "", "seed");
    String theirs =
        ini.take("DATASET", "dataset_class")
            .orElseThrow(() ->
                new UserException(
                    "this is not a DecentralizePy configuration: it lacks dataset_class in"
                        + " [DATASET]"));
    String set = DATA_SETS.get(theirs);
    if (set == null) {
      without.add("DATASET.dataset_class = " + theirs + " (no such data set)");
      return;
    }
    setText("data", "set", set);
    partition(set);
    ini.take("DATASET", "model_class")
        .ifPresent(model -> {
          String kind = MODELS.get(set + " " + model);
          if (kind == null) {
            without.add("DATASET.model_class = " + model + " (no such model)");
          } else {
            setText("model", "kind", kind);
          }
        });
    for (String directory : List.of("train_dir", "test_dir")) {
      ini.take("DATASET", directory)
          .ifPresent(path ->
              without.add(
                  "DATASET."
                      + directory
                      + " = "
                      + path
                      + " (Grapevine keeps data in its own place; see 'grapevine list data')"));
    }
  }

  private void partition(String set) {
    Optional<String> sizes = ini.take("DATASET", "sizes");
    String kind = ini.take("DATASET", "partition_niid").orElse("false");
    if (sizes.isPresent() && sizes.get().startsWith("[")) {
      setText("data", "partition", "fractions");
      set("data", "fractions", sizes.get());
    } else if (!set.equals("cifar10") && !set.equals("mnist")) {
      setText("data", "partition", "natural");
    } else if (kind.equalsIgnoreCase("true") || kind.equalsIgnoreCase("kshard")) {
      setText("data", "partition", "shards");
      number("DATASET", "shards", "data", "shards-per-node");
    } else if (kind.equalsIgnoreCase("dirichlet")) {
      setText("data", "partition", "dirichlet");
      number("DATASET", "alpha", "data", "alpha");
    } else {
      setText("data", "partition", "iid");
      if (!kind.equalsIgnoreCase("false") && !kind.equalsIgnoreCase("simple")) {
        without.add("DATASET.partition_niid = " + kind + " (no such partition)");
      }
    }
  }

  private void training() {
    ignore("OPTIMIZER_PARAMS", "optimizer_package");
    ini.take("OPTIMIZER_PARAMS", "optimizer_class")
        .ifPresent(optimizer -> {
          String kind = OPTIMIZERS.get(optimizer);
          if (kind == null) {
            without.add("OPTIMIZER_PARAMS.optimizer_class = " + optimizer);
          } else {
            setText("training", "optimizer", kind);
          }
        });
    number("OPTIMIZER_PARAMS", "lr", "training", "rate");
    number("OPTIMIZER_PARAMS", "momentum", "training", "momentum");
    number("OPTIMIZER_PARAMS", "weight_decay", "training", "weight-decay");
    ignore("TRAIN_PARAMS", "training_package", "loss_package");
    boolean epochs = ini.takeFlag("TRAIN_PARAMS", "full_epochs", false);
    number("TRAIN_PARAMS", "rounds", "training", epochs ? "epochs" : "steps");
    number("TRAIN_PARAMS", "batch_size", "training", "batch-size");
    expect("TRAIN_PARAMS", "training_class", "Training");
    // A model comes with the loss that belongs to it.
    SequencedMap<String, String> model = tables.get("model");
    boolean factorization = model != null && model.containsValue("\"matrix-factorization\"");
    expect("TRAIN_PARAMS", "loss_class", factorization ? "MSELoss" : "CrossEntropyLoss");
    if (!ini.takeFlag("TRAIN_PARAMS", "shuffle", true)) {
      without.add("TRAIN_PARAMS.shuffle = False (Grapevine always shuffles)");
    }
  }

  private void expect(String section, String key, String usual) {
    ini.take(section, key)
        .filter(value -> !value.equals(usual))
        .ifPresent(value -> without.add(section + "." + key + " = " + value));
  }

  private void sharing() {
    ignore("SHARING", "sharing_package", "change_based_selection", "compression_package");
    String theirs = ini.take("SHARING", "sharing_class").orElse("Sharing");
    boolean accumulates = ini.takeFlag("SHARING", "accumulation", false);
    int version = ini.takeFlag("SHARING", "accumulate_averaging_changes", false) ? 2 : 1;
    Optional<String> kind = sharingKind(theirs, accumulates);
    if (kind.isEmpty()) {
      without.add("SHARING.sharing_class = " + theirs + " (no such scheme; full is used)");
      setText("sharing", "kind", "full");
      return;
    }
    String ours = kind.get();
    setText("sharing", "kind", ours);
    if (List.of("accumulation", "bounded", "normalized").contains(ours)) {
      set("sharing", "version", String.valueOf(version));
    }
    switch (ours) {
      case "full", "average" -> {}
      case "jwins" ->
          ini.take("SHARING", "alpha_list").ifPresent(list -> set("sharing", "alphas", list));
      case "choco" -> {
        number("SHARING", "step_size", "sharing", "gamma");
        ini.take("SHARING", "alpha")
            .ifPresent(
                alpha -> set("sharing", "compressor", "{kind = \"topk\", alpha = " + alpha + "}"));
      }
      default -> number("SHARING", "alpha", "sharing", "alpha");
    }
    if (theirs.startsWith("RandomAlpha")) {
      String list = ini.take("SHARING", "alpha_list").map(l -> ", alphas = " + l).orElse("");
      set("sharing", "schedule", "{kind = \"random\"" + list + "}");
    }
    if (List.of("wavelet", "jwins").contains(ours)) {
      ini.take("SHARING", "wavelet").ifPresent(name -> setText("sharing", "wavelet", name));
      number("SHARING", "level", "sharing", "level");
    }
    if (ours.equals("bounded")) {
      number("SHARING", "lower_bound", "sharing", "alpha-low");
    }
    compression(ours);
  }

  private static Optional<String> sharingKind(String theirs, boolean accumulates) {
    return Optional.ofNullable(
        switch (theirs) {
          case "Sharing" -> "full";
          case "PlainAverageSharing" -> "average";
          case "PartialModel", "RandomAlpha", "RandomAlphaIncremental" ->
              accumulates ? "accumulation" : "topk-change";
          case "TopKParams" -> "topk";
          case "TopKNormalized" -> "normalized";
          case "LowerBoundTopK" -> "bounded";
          case "SubSampling" -> "subsampling";
          case "RoundRobinPartial" -> "round-robin";
          case "Wavelet", "RandomAlphaWavelet" -> "wavelet";
          case "FFT" -> "fourier";
          case "JWINS" -> "jwins";
          case "Choco" -> "choco";
          default -> null;
        });
  }

  private void compression(String kind) {
    boolean used = ini.takeFlag("SHARING", "compress", false);
    String theirs = ini.take("SHARING", "compression_class").orElse("");
    if (!used || theirs.isEmpty() || List.of("full", "average", "choco").contains(kind)) {
      return;
    }
    switch (theirs) {
      case "Elias" -> {}
      case "EliasFpzip" -> setText("sharing", "values", "fpzip");
      case "EliasFpzipLossy" -> set("sharing", "values", "{kind = \"fpzip\", precision = 18}");
      case "EliasQuantization" -> setText("sharing", "values", "affine8");
      default -> without.add("SHARING.compression_class = " + theirs);
    }
  }

  private void network() {
    ignore("COMMUNICATION", "comm_package");
    String theirs = ini.take("COMMUNICATION", "comm_class").orElse("TCP");
    if (theirs.startsWith("TCP")) {
      setText("network", "transport", "tcp");
    } else {
      without.add("COMMUNICATION.comm_class = " + theirs);
    }
    ini.take("NODE", "graph_degree")
        .ifPresent(degree -> {
          setText("topology", "kind", "regular");
          set("topology", "degree", degree);
          set("topology", "redraw-every", "1");
        });
  }
}
