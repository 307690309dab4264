package dev.grapevine.app.exchange;

import dev.grapevine.UserException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
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
          // The thesis's class of this name is torchvision's ResNet-18; see ResNets.
          Map.entry("cifar10 ResNet20", "torchvision-resnet18"),
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
    new DecentralizePySharing(ini, config).translate();
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

  /** What was set, as TOML; empty if it was not. */
  String value(String table, String key) {
    return tables.getOrDefault(table, new LinkedHashMap<>()).getOrDefault(key, "");
  }

  /** Sets a value that is TOML already. */
  void set(String table, String key, String toml) {
    tables.computeIfAbsent(table, t -> new LinkedHashMap<>()).put(key, toml);
  }

  void setText(String table, String key, String text) {
    set(table, key, '"' + text + '"');
  }

  /** Notes what has no counterpart, and what takes its place. */
  void lacks(String section, String key, String value, String instead) {
    without.add("%s.%s = %s (%s)".formatted(section, key, value, instead));
  }

  /** Takes a number over under another name. */
  void number(String section, String from, String table, String to) {
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
  static String tomlNumber(String value) {
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
    if (set.equals("shakespeare")) {
      lacks(
          "DATASET",
          "dataset_class",
          theirs,
          "without data.folder the three plays in the jar are used; name the folder of LEAF's files");
    }
    partition(set);
    validation();
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
    Optional<String> sizes = ini.take("DATASET", "sizes").filter(list -> list.startsWith("["));
    Optional<String> given = ini.take("DATASET", "partition_niid");
    if (!set.equals("cifar10") && !set.equals("mnist")) {
      setText("data", "partition", "natural");
      sizes.ifPresent(list ->
          lacks("DATASET", "sizes", list, "users are dealt in equal numbers, not by these shares"));
      return;
    }
    String kind = given.orElse("simple");
    switch (kind.toLowerCase(Locale.ROOT)) {
      case "true", "kshard" -> {
        setText("data", "partition", "shards");
        set("data", "shards-per-node", ini.take("DATASET", "shards").orElse("1"));
      }
      case "dirichlet" -> {
        setText("data", "partition", "dirichlet");
        set(
            "data",
            "alpha",
            ini.take("DATASET", "alpha").map(DecentralizePyConfig::tomlNumber).orElse("100.0"));
      }
      case "false", "iid" -> setText("data", "partition", "iid");
      case "simple" -> {
        setText("data", "partition", "iid");
        lacks(
            "DATASET",
            "partition_niid",
            given.isPresent() ? kind : kind + ", its default",
            "slices in the order of the files; equal random slices are used");
      }
      default -> {
        setText("data", "partition", "iid");
        lacks("DATASET", "partition_niid", kind, "no such partition; equal random slices are used");
      }
    }
    // What these say counts only with another partition, there as here.
    ignore("DATASET", "shards", "alpha");
    if (sizes.isPresent()) {
      if (value("data", "partition").equals("\"iid\"")) {
        setText("data", "partition", "fractions");
        set("data", "fractions", sizes.get());
      } else {
        lacks("DATASET", "sizes", sizes.get(), "nodes get equal shares with this partition");
      }
    }
  }

  private void validation() {
    ini.take("DATASET", "validation_source")
        .ifPresent(source -> {
          setText("data", "validation-from", source.toLowerCase(Locale.ROOT));
          number("DATASET", "validation_size", "data", "validation");
          set("evaluation", "validation", "true");
        });
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
    if (!tables.getOrDefault("training", new LinkedHashMap<>()).containsKey("batch-size")) {
      set("training", "batch-size", "1");
    }
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

  private void network() {
    ignore("COMMUNICATION", "comm_package");
    String theirs = ini.take("COMMUNICATION", "comm_class").orElse("TCP");
    if (theirs.startsWith("TCP")) {
      setText("network", "transport", "tcp");
    } else {
      without.add("COMMUNICATION.comm_class = " + theirs);
    }
    ini.take("COMMUNICATION", "addresses_filepath")
        .ifPresent(path ->
            lacks(
                "COMMUNICATION",
                "addresses_filepath",
                path,
                "where nodes run is no part of an experiment"));
    // Who draws the graph is said by the script that starts DecentralizePy, not by its file.
    ini.take("NODE", "graph_degree")
        .ifPresent(degree -> {
          setText("protocol", "kind", "el-oracle");
          set("protocol", "peers", degree);
          lacks(
              "NODE",
              "graph_degree",
              degree,
              "taken for EL-Oracle; for EL-Local set protocol.kind = \"el-local\"");
        });
  }
}
