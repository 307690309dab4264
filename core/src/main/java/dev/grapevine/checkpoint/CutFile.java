package dev.grapevine.checkpoint;

import dev.grapevine.runtime.Cuts;
import dev.grapevine.runtime.Resumption.EndedNode;
import dev.grapevine.runtime.report.NodeOutcome;
import dev.grapevine.runtime.report.NodeReport;
import dev.grapevine.state.State;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * {@code complete.json}: what a cut is and of which files it consists.
 *
 * @param identity what it belongs to
 * @param rounds how many rounds were over
 * @param isPlanned whether the experiment asked for it, rather than a signal
 * @param moment where the run's clock stood
 * @param run numbers of the whole run, by name
 * @param ended the nodes that had ended
 * @param files what each node's file was when it was written
 */
record CutFile(
    Identity identity,
    int rounds,
    boolean isPlanned,
    Cuts.Moment moment,
    Map<String, Long> run,
    List<EndedNode> ended,
    Map<Integer, Written> files) {

  static final String NAME = "complete.json";

  /** Changes whenever older cuts cannot be read any more. */
  private static final int FORMAT = 2;

  private static final String SELF = "sha256";

  private static final JsonMapper JSON = JsonMapper.shared();

  /** The numbers of a run as they are now. */
  static Map<String, Long> numbers(State run) {
    Map<String, Long> numbers = new TreeMap<>();
    run.view()
        .forEach((name, saved) -> {
          if (saved instanceof State.Value(long value)) {
            numbers.put(name, value);
          }
        });
    return numbers;
  }

  String toJson() {
    ObjectNode json = JSON.createObjectNode();
    json.put("format", FORMAT);
    json.put("version", identity.version());
    json.put("experiment_sha256", identity.experiment());
    json.put("rounds", rounds);
    json.put("planned", isPlanned);
    json.put("time_nanos", moment.time());
    if (moment.trace().isPresent()) {
      json.put("trace", Long.toHexString(moment.trace().getAsLong()));
    }
    ObjectNode numbers = json.putObject("run");
    run.forEach(numbers::put);
    ArrayNode endings = json.putArray("ended");
    ended.forEach(node -> write(node, endings.addObject()));
    ObjectNode entries = json.putObject("files");
    new TreeMap<>(files)
        .forEach((node, written) -> {
          ObjectNode file =
              entries
                  .putObject(NodeFile.name(node))
                  .put("node", node)
                  .put("bytes", written.bytes())
                  .put("crc32c", written.checksum());
          written.sha256().ifPresent(hash -> file.put("sha256", hash));
        });
    json.put(SELF, fingerprint(json));
    return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(json) + "\n";
  }

  /** Of all that it says, however it is laid out. */
  private static String fingerprint(JsonNode json) {
    return Sha256.of(JSON.writeValueAsString(json));
  }

  private static void write(EndedNode node, ObjectNode json) {
    NodeOutcome outcome = node.outcome();
    json.put("node", outcome.node());
    json.put("told", node.told());
    json.put("status", outcome.status().name());
    json.put("reason", outcome.reason());
    json.put("rounds_finished", outcome.roundsFinished());
    json.put("unread", outcome.unread());
    ArrayNode figures = json.putArray("figures");
    for (long figure : figures(outcome).toLongs()) {
      figures.add(figure);
    }
  }

  private static NodeReport figures(NodeOutcome outcome) {
    return new NodeReport(outcome.node(), 0, Duration.ZERO, 0, outcome.traffic(), outcome.phases());
  }

  /** Reads the file of a folder. */
  static CutFile read(Path folder) throws UnusableCut {
    try {
      return parse(Files.readString(folder.resolve(NAME)));
    } catch (CharacterCodingException e) {
      throw new UnusableCut(NAME + " is damaged");
    } catch (IOException e) {
      throw new UnusableCut("it is not complete");
    }
  }

  /** The opposite of {@link #toJson}. */
  static CutFile parse(String text) throws UnusableCut {
    JsonNode json;
    try {
      json = JSON.readTree(text);
    } catch (JacksonException e) {
      throw new UnusableCut(NAME + " is damaged");
    }
    if (json.path("format").asInt(-1) != FORMAT) {
      throw new UnusableCut(
          "it was written by another version of Grapevine: format=%s, this one reads %d"
              .formatted(json.path("format").asString("?"), FORMAT));
    }
    try {
      String said = ((ObjectNode) json).remove(SELF).stringValue();
      if (!said.equals(fingerprint(json))) {
        throw new UnusableCut(NAME + " is damaged");
      }
      return parse(json);
    } catch (RuntimeException e) {
      throw new UnusableCut(NAME + " is damaged");
    }
  }

  private static CutFile parse(JsonNode json) {
    Map<String, Long> run = new TreeMap<>();
    json.path("run")
        .properties()
        .forEach(number -> run.put(number.getKey(), number.getValue().longValue()));
    List<EndedNode> ended = new ArrayList<>();
    json.path("ended").forEach(node -> ended.add(endedNode(node)));
    Map<Integer, Written> files = new TreeMap<>();
    for (JsonNode file : json.path("files")) {
      files.put(
          file.path("node").intValue(),
          new Written(
              file.path("bytes").longValue(),
              Long.parseLong(file.path("crc32c").stringValue(), 16),
              file.has("sha256")
                  ? Optional.of(file.path("sha256").stringValue())
                  : Optional.empty()));
    }
    JsonNode trace = json.path("trace");
    return new CutFile(
        new Identity(
            json.path("version").stringValue(), json.path("experiment_sha256").stringValue()),
        json.path("rounds").intValue(),
        json.path("planned").booleanValue(),
        new Cuts.Moment(
            json.path("time_nanos").longValue(),
            trace.isString()
                ? OptionalLong.of(Long.parseUnsignedLong(trace.stringValue(), 16))
                : OptionalLong.empty()),
        run,
        ended,
        files);
  }

  private static EndedNode endedNode(JsonNode json) {
    long[] figures = new long[json.path("figures").size()];
    Arrays.setAll(figures, i -> json.path("figures").path(i).longValue());
    int node = json.path("node").intValue();
    NodeReport report = NodeReport.ofLongs(node, figures);
    return new EndedNode(
        new NodeOutcome(
            node,
            NodeOutcome.Status.valueOf(json.path("status").stringValue()),
            json.path("reason").stringValue(),
            json.path("rounds_finished").intValue(),
            json.path("unread").intValue(),
            report.traffic(),
            report.phases()),
        json.path("told").booleanValue());
  }
}
