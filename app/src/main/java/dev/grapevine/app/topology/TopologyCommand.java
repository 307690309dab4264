package dev.grapevine.app.topology;

import dev.grapevine.FileProblem;
import dev.grapevine.UserException;
import dev.grapevine.app.Subcommand;
import dev.grapevine.settings.KindDescription;
import dev.grapevine.settings.Registry;
import dev.grapevine.topology.Graph;
import dev.grapevine.topology.GraphFile;
import dev.grapevine.topology.SmallestEigenvalue;
import dev.grapevine.topology.SpectralGap;
import dev.grapevine.topology.Topology;
import dev.grapevine.topology.TopologyContext;
import dev.grapevine.topology.TopologyFacts;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/** Builds a topology, says what it is like, writes it down and draws it. */
@Command(
    name = "topology",
    description = "Builds a topology, prints its facts, writes its edges, draws it.",
    mixinStandardHelpOptions = true,
    customSynopsis = "grapevine topology KIND --nodes N [--SETTING VALUE]... [OPTIONS]",
    footer = {
      "",
      "Settings are those of the kind, as in an experiment file:",
      "  grapevine topology regular --nodes 96 --degree 4 --draw regular.svg",
      "  grapevine topology small-world --nodes 64 --rewire 0.2 --weights uniform",
      "  grapevine topology regular --nodes 48 --degree 5 --exposure 2"
    })
public final class TopologyCommand implements Subcommand, Callable<Integer> {

  @Spec private CommandSpec spec;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "KIND",
      description = "Kind of topology; without it, the kinds are listed.")
  private @Nullable String kind;

  @Option(names = "--nodes", paramLabel = "N", description = "Number of nodes.")
  private @Nullable Integer nodes;

  @Option(names = "--seed", defaultValue = "0", description = "Seed of random graphs (default 0).")
  private long seed;

  @Option(
      names = "--round",
      defaultValue = "0",
      description = "Which round of a topology that changes over time (default 0).")
  private int round;

  @Option(
      names = "--exposure",
      paramLabel = "C",
      description =
          "With secure aggregation: whose models up to C nodes that work together could solve for.")
  private @Nullable Integer exposure;

  @Option(names = "--out", paramLabel = "FILE", description = "Write the edges to this file.")
  private @Nullable Path out;

  @Option(names = "--draw", paramLabel = "FILE", description = "Draw it: a .svg or .png file.")
  private @Nullable Path draw;

  @Option(
      names = "--layout",
      defaultValue = "AUTO",
      description = "auto, circle or force (default auto).")
  private GraphLayout.Style layout;

  @Unmatched private @Nullable List<String> rest;

  @Override
  public Integer call() throws IOException {
    Registry registry = Registry.load();
    PrintWriter print = spec.commandLine().getOut();
    if (kind == null) {
      list(registry, print);
      return 0;
    }
    if (draw != null) {
      GraphPicture.check(draw);
    }
    Topology topology = topology(registry, kind);
    if (round < 0) {
      throw new UserException("--round must not be negative: round=" + round);
    }
    print(TopologyFacts.of(topology, round), print);
    if (exposure != null) {
      ExposureText.print(topology, round, exposure, print);
    }
    Graph graph = Graph.of(topology, round);
    if (out != null) {
      try (Writer writer = Files.newBufferedWriter(out)) {
        GraphFile.write(graph, writer);
      } catch (IOException e) {
        throw new UserException("cannot write " + out + ": " + FileProblem.reason(e), e);
      }
      line(print, "written", out.toString());
    }
    if (draw != null) {
      GraphPicture.write(graph, layout, draw);
      line(print, "drawn", draw.toString());
    }
    print.flush();
    return 0;
  }

  private Topology topology(Registry registry, String name) {
    String settings = KeyValues.toToml(rest == null ? List.of() : rest, name);
    var choice = registry.choose(Topology.FAMILY, name, settings);
    return choice.create(new TopologyContext(requiredNodes(), seed, Path.of("")));
  }

  private int requiredNodes() {
    if (nodes == null || nodes < 1) {
      throw new UserException(
          nodes == null
              ? "say how many nodes the topology has: --nodes N"
              : "--nodes must be at least 1: nodes=" + nodes);
    }
    return nodes;
  }

  private static void list(Registry registry, PrintWriter print) {
    print.println("Say which kind of topology:");
    for (KindDescription<?, ?> kind : registry.kinds(Topology.FAMILY)) {
      print.printf(Locale.ROOT, "  %-22s %s%n", kind.name(), kind.summary());
    }
    print.flush();
  }

  private void print(TopologyFacts facts, PrintWriter print) {
    String degree =
        facts.minimumDegree() == facts.maximumDegree()
            ? String.valueOf(facts.minimumDegree())
            : facts.minimumDegree() + " to " + facts.maximumDegree();
    line(print, "nodes", String.valueOf(facts.nodes()));
    line(print, facts.directed() ? "edges, one way" : "edges", String.valueOf(facts.edges()));
    line(print, facts.directed() ? "degree, outgoing" : "degree", degree);
    line(print, "connected", facts.connected() ? "yes" : "no: some nodes never hear from others");
    line(print, "diameter", facts.diameter() < 0 ? "none" : String.valueOf(facts.diameter()));
    line(print, "spectral gap", gap(facts.gap()));
    line(
        print,
        "smallest eigenvalue",
        facts
            .smallestEigenvalue()
            .map(TopologyCommand::eigenvalue)
            .orElse("none: one-way weights"));
    if (facts.period() > 1) {
      line(print, "over a cycle", gap(facts.gapOfPeriod()) + " in " + facts.period() + " rounds");
    } else if (facts.period() == 0) {
      line(print, "changes", "yes; the facts are those of round " + round);
    }
    line(
        print,
        "doubly stochastic",
        facts.doublyStochastic()
            ? "yes: mixing keeps the mean"
            : String.format(
                Locale.ROOT,
                "no: mixing shifts the mean (column sums are off by up to %.3g)",
                facts.largestColumnError()));
  }

  private static String eigenvalue(SmallestEigenvalue smallest) {
    String value = String.format(Locale.ROOT, "%.6f", smallest.value() + 0.0);
    return smallest.exact() ? value : "at most " + value;
  }

  private static String gap(SpectralGap gap) {
    String value = String.format(Locale.ROOT, gap.value() < 1e-3 ? "%.3g" : "%.6f", gap.value());
    return gap.exact() ? value : "below " + value;
  }

  static void line(PrintWriter print, String name, String value) {
    print.printf(Locale.ROOT, "%-20s %s%n", name, value);
  }
}
