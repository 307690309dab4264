package dev.grapevine.results;

import dev.grapevine.UserException;
import dev.grapevine.topology.Graph;
import dev.grapevine.topology.GraphFile;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The directory that a run writes its results to; where everything in it lies. */
public record RunDirectory(Path path) {

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
      throw new UserException("cannot create the directory " + path + ": " + e.getMessage(), e);
    }
    return new RunDirectory(path);
  }

  /** A new directory inside {@code parent}, called {@code name} or, if taken, {@code name-2} … */
  public static RunDirectory createIn(Path parent, String name) {
    String safe = name.replaceAll("[^A-Za-z0-9._-]+", "-");
    try {
      Files.createDirectories(parent);
      for (int i = 1; ; i++) {
        Path path = parent.resolve(i == 1 ? safe : safe + "-" + i);
        try {
          return new RunDirectory(Files.createDirectory(path));
        } catch (FileAlreadyExistsException taken) {
          // The next number may be free.
        }
      }
    } catch (IOException e) {
      throw new UserException("cannot create a directory in " + parent + ": " + e.getMessage(), e);
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

  public Path linksFile() {
    return path.resolve("links.csv");
  }

  public Path shareCountsFile() {
    return path.resolve("share-counts.csv");
  }

  /** Where a node's final model goes; its directory is made if need be. */
  public Path modelFile(int node) {
    Path models = path.resolve("models");
    try {
      Files.createDirectories(models);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot create " + models, e);
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

  /** Opens the metrics for appending; a line that was cut off is removed first. */
  public MetricsWriter metrics() {
    return MetricsWriter.open(metricsFile());
  }
}
