package dev.grapevine.app.exchange;

import dev.grapevine.FileProblem;
import dev.grapevine.UserException;
import dev.grapevine.app.Subcommand;
import dev.grapevine.cluster.HostsFile;
import dev.grapevine.topology.Graph;
import dev.grapevine.topology.GraphFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Turns a DecentralizePy configuration and graph into an experiment file, or its list of machines
 * into a hosts file.
 */
@Command(
    name = "import",
    description = {
      "Turns a DecentralizePy config.ini and graph file into an experiment file.",
      "Its list of machines (ip.json) becomes a hosts file for launch."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Example:  grapevine import config.ini --graph 16_regular.txt",
      "          grapevine import ip.json --procs-per-machine 16 --out hosts.txt"
    })
public final class ImportCommand implements Subcommand, Callable<Integer> {

  private static final List<String> ORDER =
      List.of(
          "nodes",
          "topology",
          "data",
          "model",
          "training",
          "sharing",
          "protocol",
          "evaluation",
          "network");

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "CONFIG",
      description = "DecentralizePy's config.ini, or its list of machines, which ends with .json.")
  private Path config;

  @Option(names = "--graph", paramLabel = "FILE", description = "DecentralizePy's graph file.")
  private @Nullable Path graph;

  @Option(names = "--rounds", description = "Rounds, which DecentralizePy is told elsewhere.")
  private @Nullable Integer rounds;

  @Option(names = "--test-after", description = "Evaluate after so many rounds.")
  private @Nullable Integer testAfter;

  @Option(
      names = "--procs-per-machine",
      paramLabel = "N",
      split = ",",
      description = "With a list of machines: processes of each, or of all alike.")
  private @Nullable List<Integer> processes;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description =
          "The experiment file; by default the name of the configuration with .toml. With a list of"
              + " machines the hosts file, by default hosts.txt.")
  private @Nullable Path out;

  @Override
  public Integer call() {
    if (config.toString().endsWith(".json")) {
      takeMachines();
      return 0;
    }
    if (processes != null) {
      throw new UserException(
          "--procs-per-machine goes with a list of machines (ip.json), not with " + config);
    }
    DecentralizePyConfig imported = DecentralizePyConfig.of(IniFile.read(config));
    String name = config.getFileName().toString().replaceFirst("\\.[^.]*$", "");
    Path target = out != null ? out : Path.of(name + ".toml");
    if (graph != null) {
      takeGraph(imported, graph, target);
    }
    if (rounds != null) {
      imported.set("", "rounds", String.valueOf(rounds));
    }
    if (testAfter != null) {
      imported.set("evaluation", "every", String.valueOf(testAfter));
    }
    write(target, toml(name, imported));
    report(imported, target);
    return 0;
  }

  private static void write(Path target, String text) {
    try {
      Files.writeString(target, text, StandardOpenOption.CREATE_NEW);
    } catch (FileAlreadyExistsException e) {
      throw new UserException(target + " is there already: name another file with --out", e);
    } catch (IOException e) {
      throw new UserException("cannot write " + target + ": " + FileProblem.reason(e), e);
    }
  }

  private void takeMachines() {
    if (processes == null) {
      throw new UserException(
          "say how many processes each machine of %s has, with --procs-per-machine"
              .formatted(config));
    }
    HostsFile hosts = DecentralizePyMachines.read(config, processes);
    Path target = out != null ? out : Path.of("hosts.txt");
    write(
        target, "# From %s, one node a worker.\n%s".formatted(config.getFileName(), hosts.text()));
    PrintWriter print = spec.commandLine().getOut();
    print.println("Wrote %s: %d workers".formatted(target, hosts.workers()));
    print.println("Start with:  grapevine launch EXPERIMENT --hosts " + target);
    print.flush();
  }

  private static void takeGraph(DecentralizePyConfig imported, Path graph, Path target) {
    GraphFile.Format format = GraphFile.Format.EDGES;
    Graph read;
    try {
      read = GraphFile.read(graph, format, false);
    } catch (UserException notEdges) {
      format = GraphFile.Format.ADJACENCY;
      try {
        read = GraphFile.read(graph, format, false);
      } catch (UserException neither) {
        throw notEdges;
      }
    }
    imported.set("nodes", "count", String.valueOf(read.nodes()));
    if (imported.tables().containsKey("protocol")) {
      imported.lacks(
          "the option",
          "--graph",
          graph.toString(),
          "the protocol draws its own graphs; only the number of nodes is taken");
      return;
    }
    imported.set("topology", "kind", "\"file\"");
    imported.set("topology", "path", '"' + relative(graph, target) + '"');
    if (format == GraphFile.Format.ADJACENCY) {
      imported.set("topology", "format", "\"adjacency\"");
    }
  }

  private static String relative(Path graph, Path target) {
    Path from = target.toAbsolutePath().normalize().getParent();
    Path to = graph.toAbsolutePath().normalize();
    Path path = from != null && from.getRoot().equals(to.getRoot()) ? from.relativize(to) : to;
    return path.toString().replace('\\', '/');
  }

  private static String toml(String name, DecentralizePyConfig imported) {
    StringBuilder toml = new StringBuilder();
    toml.append("name = \"").append(name).append("\"\n");
    Map<String, String> top = imported.tables().get("");
    if (top != null) {
      top.forEach((key, value) -> line(toml, key, value));
    }
    for (String table : ORDER) {
      Map<String, String> keys = imported.tables().get(table);
      if (keys != null) {
        toml.append("\n[").append(table).append("]\n");
        keys.forEach((key, value) -> line(toml, key, value));
      }
    }
    if (!imported.without().isEmpty()) {
      toml.append("\n# Without counterpart in the configuration this came from:\n");
      imported.without().forEach(key -> toml.append("#   ").append(key).append('\n'));
    }
    return toml.toString();
  }

  private static void line(StringBuilder toml, String key, String value) {
    toml.append(key).append(" = ").append(value).append('\n');
  }

  private void report(DecentralizePyConfig imported, Path target) {
    PrintWriter print = spec.commandLine().getOut();
    print.println("Wrote " + target);
    if (graph == null) {
      print.println("No graph was given (--graph): nodes and topology have their defaults.");
    }
    if (rounds == null) {
      print.println("Rounds are not part of the configuration: set them (--rounds), default 100.");
    }
    if (!imported.without().isEmpty()) {
      print.println("Without counterpart:");
      imported.without().forEach(key -> print.println("  " + key));
    }
    print.println("Check it with:  grapevine check " + target);
    print.flush();
  }
}
