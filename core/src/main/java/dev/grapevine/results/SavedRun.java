package dev.grapevine.results;

import dev.grapevine.FileProblem;
import dev.grapevine.UserException;
import dev.grapevine.topology.Graph;
import dev.grapevine.topology.GraphFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.Supplier;
import org.tomlj.Toml;
import org.tomlj.TomlArray;
import org.tomlj.TomlTable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * A run read back from its directory, be it complete, still going or cut off at any byte: what can
 * be read is there, the rest is absent.
 */
public final class SavedRun {

  /** The outcome of a run that still goes. */
  public static final String RUNNING = "running";

  /** The outcome of a run whose process is gone without a word. */
  public static final String CUT_OFF = "cut off";

  private final RunDirectory directory;
  private final SequencedMap<String, MetricColumn> columns;
  private final SequencedMap<String, String> settings;
  private final Optional<JsonNode> summary;
  private final Optional<JsonNode> provenance;
  private final long skippedLines;

  private SavedRun(
      RunDirectory directory,
      SequencedMap<String, MetricColumn> columns,
      SequencedMap<String, String> settings,
      Optional<JsonNode> summary,
      Optional<JsonNode> provenance,
      long skippedLines) {
    this.directory = directory;
    this.columns = columns;
    this.settings = settings;
    this.summary = summary;
    this.provenance = provenance;
    this.skippedLines = skippedLines;
  }

  private SavedRun(
      RunDirectory directory,
      MetricsReader metrics,
      SequencedMap<String, String> settings,
      Optional<JsonNode> summary,
      Optional<JsonNode> provenance) {
    this.directory = directory;
    // A run that was stopped may have begun further rounds that not all nodes have finished.
    this.columns =
        summary
            .map(json -> json.path(Summary.STOPPED_AFTER))
            .filter(JsonNode::isInt)
            .map(round -> upTo(metrics.columns(), round.asInt()))
            .orElse(metrics.columns());
    this.skippedLines = metrics.skipped();
    this.settings = settings;
    this.summary = summary;
    this.provenance = provenance;
  }

  /** Reads a run; a {@link UserException} says when the path is none. */
  public static SavedRun read(Path path) {
    return read(path, true);
  }

  /** All of a run but its metrics, which may be large. */
  public static SavedRun readWithoutMetrics(Path path) {
    return read(path, false);
  }

  private static SavedRun read(Path path, boolean withMetrics) {
    RunDirectory directory = existing(path);
    try {
      return new SavedRun(
          directory,
          withMetrics ? MetricsReader.read(directory.metricsFile()) : MetricsReader.ofNothing(),
          settings(directory.experimentFile()),
          json(directory.summaryFile()),
          json(directory.provenanceFile()));
    } catch (IOException e) {
      throw new UserException("cannot read the run " + path + ": " + FileProblem.reason(e), e);
    }
  }

  private static SequencedMap<String, MetricColumn> upTo(
      SequencedMap<String, MetricColumn> columns, int round) {
    SequencedMap<String, MetricColumn> kept = new LinkedHashMap<>();
    columns.forEach((name, column) -> {
      MetricColumn beginning = column.upTo(round);
      if (beginning.rounds() > 0) {
        kept.put(name, beginning);
      }
    });
    return kept;
  }

  /** The run as if it had ended after {@code round}. */
  public SavedRun upTo(int round) {
    return new SavedRun(
        directory, upTo(columns, round), settings, summary, provenance, skippedLines);
  }

  /** Only the settings of a run; reads nothing else. */
  public static SequencedMap<String, String> settingsOf(Path path) {
    RunDirectory directory = existing(path);
    try {
      return settings(directory.experimentFile());
    } catch (IOException e) {
      throw new UserException("cannot read the run " + path + ": " + FileProblem.reason(e), e);
    }
  }

  private static RunDirectory existing(Path path) {
    if (!Files.isDirectory(path)) {
      throw new UserException(
          Files.exists(path)
              ? path + " is a file: give the directory of a run"
              : "there is no run directory " + path + ": check the path");
    }
    RunDirectory directory = new RunDirectory(path);
    if (!Files.exists(directory.metricsFile()) && !Files.exists(directory.experimentFile())) {
      throw new UserException(
          path
              + " is not the directory of a run: it has neither metrics.csv nor experiment.toml;"
              + " give a directory that 'grapevine run' wrote");
    }
    return directory;
  }

  /** Only the summary of a run, if it has one; reads nothing else. */
  public static Optional<JsonNode> summaryOf(Path path) {
    return json(new RunDirectory(path).summaryFile());
  }

  private static Optional<JsonNode> json(Path file) {
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try {
      JsonNode node = Json.MAPPER.readTree(file);
      return node.isObject() ? Optional.of(node) : Optional.empty();
    } catch (JacksonException cutOff) {
      return Optional.empty();
    }
  }

  private static SequencedMap<String, String> settings(Path file) throws IOException {
    SequencedMap<String, String> settings = new LinkedHashMap<>();
    if (Files.exists(file)) {
      // What stands before a mistake is still read.
      flatten(
          Toml.parse(new String(Files.readAllBytes(file), StandardCharsets.UTF_8)), "", settings);
    }
    return settings;
  }

  private static void flatten(TomlTable table, String prefix, SequencedMap<String, String> into) {
    for (var entry : table.entrySet()) {
      Object value = entry.getValue();
      if (value instanceof TomlTable inner) {
        flatten(inner, prefix + entry.getKey() + ".", into);
      } else if (value instanceof TomlArray array) {
        into.put(prefix + entry.getKey(), array.toJson().replaceAll("\\s+", " ").strip());
      } else {
        into.put(prefix + entry.getKey(), text(value));
      }
    }
  }

  /** Numbers as people write them: 1e-4, not 1.0E-4. */
  private static String text(Object value) {
    String text = String.valueOf(value);
    return value instanceof Double ? text.replace(".0E", "e").replace('E', 'e') : text;
  }

  public RunDirectory directory() {
    return directory;
  }

  /** The experiment's name, or that of the directory. */
  public String name() {
    String fallback = directory.path().toAbsolutePath().normalize().getFileName().toString();
    return settings.getOrDefault("name", fallback);
  }

  public OptionalLong seed() {
    String seed = settings.get("seed");
    return seed != null && seed.matches("-?\\d{1,18}")
        ? OptionalLong.of(Long.parseLong(seed))
        : OptionalLong.empty();
  }

  /** The resolved experiment, as dotted keys in the order of the file. */
  public SequencedMap<String, String> settings() {
    return settings;
  }

  /** The recorded metrics, in the order in which they first appear. */
  public Set<String> metrics() {
    return columns.keySet();
  }

  public Optional<MetricColumn> metric(String name) {
    return Optional.ofNullable(columns.get(name));
  }

  /** The summary, if the run came to its end. */
  public Optional<JsonNode> summary() {
    return summary;
  }

  public Optional<JsonNode> provenance() {
    return provenance;
  }

  /**
   * Where a run branched off another.
   *
   * @param run the directory of the other
   * @param rounds how many rounds they have in common
   */
  public record Branch(Path run, int rounds) {}

  /** Where it branched off another, if it did. */
  public Optional<Branch> branch() {
    return provenance
        .map(json -> json.path("parent"))
        .filter(JsonNode::isObject)
        .map(json ->
            new Branch(Path.of(json.path("run").asString("")), json.path("after_round").asInt(0)));
  }

  /** How many rounds it has recorded anything of. */
  public int rounds() {
    return columns.values().stream()
        .mapToInt(column -> column.round(column.rounds() - 1) + 1)
        .max()
        .orElse(0);
  }

  /** Whether it got as far as it was meant to: to its last round, or to where it was to stop. */
  public boolean isComplete() {
    return isComplete(outcome());
  }

  /** The same of how a run ended. */
  public static boolean isComplete(String outcome) {
    return outcome.equals("done") || outcome.equals("stopped");
  }

  /** The hashes of own code and of other files that the experiment named, by file name. */
  public SequencedMap<String, String> fileHashes() {
    SequencedMap<String, String> hashes = new LinkedHashMap<>();
    for (String kind : List.of("source_hashes", "file_hashes")) {
      provenance
          .map(json -> json.path(kind))
          .ifPresent(map ->
              map.properties()
                  .forEach(file -> hashes.put(file.getKey(), file.getValue().asString(""))));
    }
    return hashes;
  }

  /** How the run ended, in a word; {@link #RUNNING} or {@link #CUT_OFF} if it has not. */
  public String outcome() {
    return outcome(directory, summary, () -> provenance);
  }

  /** The same of a directory; reads nothing else. */
  public static String outcomeOf(Path path) {
    RunDirectory directory = new RunDirectory(path);
    return outcome(
        directory, json(directory.summaryFile()), () -> json(directory.provenanceFile()));
  }

  private static String outcome(
      RunDirectory directory, Optional<JsonNode> summary, Supplier<Optional<JsonNode>> provenance) {
    return summary
        .map(json -> json.path("outcome").asString("done"))
        .orElseGet(() -> SignsOfLife.of(directory, provenance.get()) ? RUNNING : CUT_OFF);
  }

  /** The graph of the first round, if it was written. */
  public Optional<Graph> topology() {
    Path file = directory.topologyFile();
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try {
      boolean directed = Files.readString(file).contains("# directed");
      return Optional.of(GraphFile.read(file, GraphFile.Format.EDGES, directed));
    } catch (IOException | UserException cutOff) {
      return Optional.empty();
    }
  }

  /** How the data is spread over the nodes, if it was written. */
  public Optional<ClassCounts> data() {
    return ClassCounts.read(directory.dataFile());
  }

  /** Who has sent how much to whom, if it was counted. */
  public Optional<LinkTraffic> links() {
    return LinkTraffic.read(directory.linksFile());
  }

  /** How often coordinates were shared, if it was counted. */
  public Optional<SharePercentiles> shareCounts() {
    return SharePercentiles.read(directory.shareCountsFile());
  }

  /** How many lines of the metrics made no sense. */
  public long skippedLines() {
    return skippedLines;
  }
}
