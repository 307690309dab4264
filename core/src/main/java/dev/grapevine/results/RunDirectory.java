package dev.grapevine.results;

import dev.grapevine.FileProblem;
import dev.grapevine.UserException;
import dev.grapevine.topology.Graph;
import dev.grapevine.topology.GraphFile;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.text.Normalizer;
import java.util.Comparator;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.stream.Stream;

/** The directory that a run writes its results to; where everything in it lies. */
public record RunDirectory(Path path) {

  /** File systems allow 255 bytes; a number is put behind the name. */
  private static final int LONGEST_NAME = 200;

  /**
   * A new directory for a run.
   *
   * @param path a directory that is empty or not there yet
   */
  public static RunDirectory create(Path path) {
    try {
      Files.createDirectories(path);
      try (Stream<Path> inside = Files.list(path)) {
        if (inside.findAny().isPresent()) {
          throw new UserException(
              "the directory for the results is not empty: " + path + "; name another one");
        }
      }
    } catch (FileAlreadyExistsException e) {
      throw new UserException(path + " is a file: name a directory for the results", e);
    } catch (IOException e) {
      throw new UserException(
          "cannot create the directory " + path + ": " + FileProblem.reason(e), e);
    }
    return new RunDirectory(path);
  }

  /** A new directory inside {@code parent}, called {@code name} or, if taken, {@code name-2} … */
  public static RunDirectory createIn(Path parent, String name) {
    return firstFree(in(parent, name));
  }

  /** Where a run of that name goes if nothing is there yet. */
  public static Path in(Path parent, String name) {
    try {
      return parent.resolve(folderName(name));
    } catch (InvalidPathException e) {
      throw new UserException(
          "no folder can be called \"%s\" here; set the locale to one with UTF-8, such as"
                  .formatted(name)
              + " LC_ALL=C.UTF-8, or name a folder with --out",
          e);
    }
  }

  /** An empty or new directory at {@code path} or, if it is taken, at {@code path-2} … */
  public static RunDirectory createBeside(Path path) {
    // A file in the way is a slip, which create tells.
    return isEmptyDirectory(path) || Files.isRegularFile(path) ? create(path) : firstFree(path);
  }

  private static RunDirectory firstFree(Path path) {
    Path wanted = path.toAbsolutePath().normalize();
    Path name = wanted.getFileName();
    if (name == null) {
      return create(path);
    }
    try {
      Files.createDirectories(wanted.getParent());
      for (int i = 1; ; i++) {
        Path candidate = i == 1 ? path : path.resolveSibling(name + "-" + i);
        try {
          return new RunDirectory(Files.createDirectory(candidate));
        } catch (FileAlreadyExistsException taken) {
          // The next number may be free.
        }
      }
    } catch (FileAlreadyExistsException e) {
      throw new UserException(wanted.getParent() + " is a file: name another directory", e);
    } catch (IOException e) {
      throw new UserException(
          "cannot create the directory %s: %s".formatted(path, FileProblem.reason(e)), e);
    }
  }

  /**
   * An empty directory where a run has been: its results are deleted. Refused where something else
   * is, so that nobody loses a folder by a slip of the keyboard.
   */
  public static RunDirectory replace(Path path) {
    RunDirectory old = new RunDirectory(path);
    if (Files.exists(old.experimentFile()) && Files.exists(old.provenanceFile())) {
      try (Stream<Path> inside = Files.walk(path)) {
        for (Path each : inside.sorted(Comparator.reverseOrder()).toList()) {
          if (!each.equals(path)) {
            Files.delete(each);
          }
        }
      } catch (IOException e) {
        throw new UserException(
            "cannot delete the run in %s: %s".formatted(path, FileProblem.reason(e)), e);
      }
    }
    return create(path);
  }

  /** A name in any alphabet as a folder's: what shells and file systems trip over is left out. */
  static String folderName(String name) {
    String plain =
        Normalizer.normalize(name, Normalizer.Form.NFC)
            .replaceAll("[^\\p{L}\\p{M}\\p{N}._-]+", "-")
            .replaceAll("^[.-]+|-+$", "");
    int end = plain.length();
    while (plain.substring(0, end).getBytes(StandardCharsets.UTF_8).length > LONGEST_NAME) {
      end = plain.offsetByCodePoints(end, -1);
    }
    return end == 0 ? "run" : plain.substring(0, end);
  }

  private static boolean isEmptyDirectory(Path path) {
    if (!Files.isDirectory(path)) {
      return false;
    }
    try (Stream<Path> inside = Files.list(path)) {
      return inside.findAny().isEmpty();
    } catch (IOException e) {
      throw new UserException(
          "cannot read the directory %s: %s".formatted(path, FileProblem.reason(e)), e);
    }
  }

  public Path experimentFile() {
    return path.resolve("experiment.toml");
  }

  public Path provenanceFile() {
    return path.resolve("provenance.json");
  }

  public Path metricsFile() {
    return path.resolve("metrics.csv");
  }

  public Path summaryFile() {
    return path.resolve("summary.json");
  }

  public Path topologyFile() {
    return path.resolve("topology.edges");
  }

  public Path dataFile() {
    return path.resolve("data.csv");
  }

  /** What happened when, for people, and what was thrown, with the details a message leaves out. */
  public Path logFile() {
    return path.resolve("run.log");
  }

  public Path linksFile() {
    return path.resolve("links.csv");
  }

  public Path shareCountsFile() {
    return path.resolve("share-counts.csv");
  }

  /** Where the processes of a run were that had several. */
  public Path deploymentFile() {
    return path.resolve("deployment.json");
  }

  /** What one worker of many has recorded by itself. */
  public RunDirectory part(int worker) {
    return new RunDirectory(path.resolve("parts").resolve("worker-" + worker));
  }

  public void writeDeployment(Deployment deployment) {
    AtomicFiles.write(deploymentFile(), deployment.toJson());
  }

  /** Keeps a copy of own code as it was when the run began. */
  public void keepSource(Path source) {
    Path folder = path.resolve("sources");
    try {
      Files.createDirectories(folder);
      Files.copy(source, folder.resolve(source.getFileName()), StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw WriteFailure.of(folder, e);
    }
  }

  /** Appends what was thrown to the log. */
  public void log(String what, Throwable thrown) {
    LogRecord record = new LogRecord(Level.SEVERE, what);
    record.setThrown(thrown);
    record.setLoggerName("dev.grapevine.run");
    try {
      Files.writeString(
          logFile(),
          new OneLine().format(record),
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException unwritable) {
      // The message has been told already; this was the fine print.
    }
  }

  /** Where a node's final model goes; its directory is made if need be. */
  public Path modelFile(int node) {
    Path models = path.resolve("models");
    try {
      Files.createDirectories(models);
    } catch (IOException e) {
      throw WriteFailure.of(models, e);
    }
    return models.resolve("node-" + node + ".safetensors");
  }

  /** Writes the experiment as it was resolved, defaults and overrides included. */
  public void writeExperiment(String toml) {
    AtomicFiles.write(experimentFile(), toml);
  }

  public void writeProvenance(Provenance provenance) {
    AtomicFiles.write(provenanceFile(), provenance.toJson());
  }

  /** Writes a provenance that was changed. */
  public void writeProvenance(String json) {
    AtomicFiles.write(provenanceFile(), json);
  }

  public void writeSummary(Summary summary) {
    AtomicFiles.write(summaryFile(), summary.toJson());
  }

  /** Writes the graph of the first round. */
  public void writeTopology(Graph graph) {
    StringWriter text = new StringWriter();
    try {
      GraphFile.write(graph, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    AtomicFiles.write(topologyFile(), text.toString());
  }

  /** Writes who holds which data at the start. */
  public void writeData(ClassCounts counts) {
    AtomicFiles.write(dataFile(), counts.toCsv());
  }

  /** Writes who has sent how much to whom. */
  public void writeLinks(LinkTraffic links) {
    AtomicFiles.write(linksFile(), links.toCsv());
  }

  /** Writes how often coordinates were shared. */
  public void writeShareCounts(SharePercentiles counts) {
    AtomicFiles.write(shareCountsFile(), counts.toCsv());
  }

  /** Where cuts of the run go. */
  public Path checkpoints() {
    return path.resolve("checkpoints");
  }

  /** The right to go on with this run; empty if another process has it. */
  public Optional<RunClaim> claim() {
    return RunClaim.in(checkpoints());
  }

  /** Takes one recorded figure. */
  @FunctionalInterface
  public interface Figures {
    void take(int node, int round, String metric, double value);
  }

  /** Reads all recorded figures, in the order in which they were recorded. */
  public void forEachFigure(Figures figures) {
    try {
      MetricsReader.readLines(metricsFile(), figures);
    } catch (IOException e) {
      throw new UserException(
          "cannot read %s: %s".formatted(metricsFile(), FileProblem.reason(e)), e);
    }
  }

  /** A run is about to go on: it has no summary any more, and figures up to a round only. */
  public void reopen(int lastRound) {
    MetricsCut.copy(metricsFile(), metricsFile(), lastRound);
    try {
      Files.deleteIfExists(summaryFile());
    } catch (IOException e) {
      throw WriteFailure.of(summaryFile(), e);
    }
  }

  /** Takes over what another run recorded up to where this one branches off, and says so. */
  public void branchOff(SavedRun parent, int rounds) {
    MetricsCut.copy(parent.directory().metricsFile(), metricsFile(), rounds - 1);
    SavedRun.readWithoutMetrics(path)
        .provenance()
        .ifPresent(
            json -> writeProvenance(Provenance.forked(json, parent.directory().path(), rounds)));
  }

  /** Opens the metrics for appending; a line that was cut off is removed first. */
  public MetricsWriter metrics() {
    return MetricsWriter.open(metricsFile());
  }
}
