package dev.grapevine.app.trial;

import dev.grapevine.UserException;
import dev.grapevine.app.Subcommand;
import dev.grapevine.data.DataSource;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.learning.ModelZoo;
import dev.grapevine.protocol.Protocol;
import dev.grapevine.settings.Family;
import dev.grapevine.settings.Registry;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.topology.Topology;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Puts an own part to the test. */
@Command(
    name = "try",
    description = {
      "Try an own part, one .java file, and say which promises of its kind it keeps.",
      "A sharing scheme, protocol, topology, data set or model; which of them is seen from the"
          + " class."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Exit codes: 0 keeps all promises, 1 breaks some, 2 a mistake in the command or the file.",
      "",
      "Example:  grapevine try examples/own-sharing/MySharing.java --set every=2"
    })
public final class TryCommand implements Subcommand, Callable<Integer> {

  private static final List<Family<?, ?>> FAMILIES =
      List.of(
          Encoding.FAMILY, Protocol.FAMILY, Topology.FAMILY, DataSource.FAMILY, ModelZoo.FAMILY);

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "FILE", description = "The .java file.")
  private Path file;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "A setting of the part, or with its table any other; may be repeated.")
  private List<String> settings = new ArrayList<>();

  @Override
  public Integer call() {
    Family<?, ?> family = family();
    PrintWriter out = spec.commandLine().getOut();
    out.printf("%s is a %s%n", file.getFileName(), called(family));
    out.flush();
    List<Finding> findings = quietly(() -> findings(family));
    for (Finding finding : findings) {
      out.printf(
          "  %-8s%s%s%n",
          finding.verdict().name().toLowerCase(Locale.ROOT),
          finding.promise(),
          finding.detail().isEmpty() ? "" : ": " + finding.detail());
    }
    long kept = count(findings, Finding.Verdict.KEPT);
    long broken = count(findings, Finding.Verdict.BROKEN);
    out.printf(
        "verdict   %s%n",
        broken == 0
            ? "keeps all %d promises".formatted(kept)
            : "breaks %d of %d promises".formatted(broken, kept + broken));
    out.flush();
    return broken == 0 ? 0 : 1;
  }

  private static String called(Family<?, ?> family) {
    return switch (family.name()) {
      case "sharing" -> "sharing scheme";
      case "data" -> "data set";
      default -> family.name();
    };
  }

  /** Without the log: that neighbours send nonsense is meant to happen here. */
  private static <T> T quietly(Supplier<T> work) {
    Logger log = Logger.getLogger("dev.grapevine");
    Level usual = log.getLevel();
    log.setLevel(Level.OFF);
    try {
      return work.get();
    } finally {
      log.setLevel(usual);
    }
  }

  private static long count(List<Finding> findings, Finding.Verdict verdict) {
    return findings.stream().filter(finding -> finding.verdict() == verdict).count();
  }

  /** The first family that the class can be a part of. */
  private Family<?, ?> family() {
    if (!Files.isRegularFile(file) || !file.toString().endsWith(".java")) {
      throw new UserException("%s is not a .java file with an own part".formatted(file));
    }
    Registry registry = Registry.load();
    for (Family<?, ?> family : FAMILIES) {
      try {
        registry.kind(family, file.toAbsolutePath().toString());
        return family;
      } catch (UserException notOfThem) {
        if (!String.valueOf(notOfThem.getMessage()).contains("cannot be used as a")) {
          throw notOfThem;
        }
      }
    }
    throw new UserException(
        "%s is no sharing scheme, protocol, topology, data set or model: see docs/extending.md"
            .formatted(file));
  }

  private List<Finding> findings(Family<?, ?> family) {
    String table = family.name();
    List<String> all = new ArrayList<>();
    all.add(table + (table.equals("data") ? ".set=" : ".kind=") + file.toAbsolutePath());
    settings.forEach(setting -> all.add(setting.contains(".") ? setting : table + "." + setting));
    if (family == Topology.FAMILY || family == DataSource.FAMILY) {
      Experiment experiment = Experiment.parse("name = \"trial\"").with(all);
      return family == Topology.FAMILY
          ? TopologyPromises.of(experiment.topology())
          : DataPromises.of(experiment.data());
    }
    try (TrialRuns runs = new TrialRuns(all)) {
      RunPromises promises = new RunPromises(runs).course();
      if (family == Encoding.FAMILY) {
        promises.mixing().nonsense().bytes();
      } else if (family == Protocol.FAMILY) {
        promises.mixing().nonsense().faults().bytes();
      }
      return promises.findings();
    }
  }
}
