package dev.grapevine.results;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Where a result comes from: enough to run it again and to know what may differ.
 *
 * @param version Grapevine's version
 * @param grapevine what was checked out where this Grapevine was built, if known
 * @param experiment what was checked out where the experiment's file lies, if known
 * @param started when
 * @param command what was typed
 * @param folder where the experiment's relative paths start
 * @param seed the experiment's seed
 * @param dataHashes what the data were: name to SHA-256
 * @param sourceHashes what own code was: file name to SHA-256; copies are kept with the run
 * @param fileHashes what other files the experiment names held: file name to SHA-256
 * @param jdk the Java runtime
 * @param os the operating system
 * @param machine processor model
 * @param cores processors that the run could use
 * @param heapBytes how much memory the Java heap could take
 * @param host what the machine is called
 * @param processId the number of the process
 * @param processStarted when the process began, which tells it from others with its number
 */
public record Provenance(
    String version,
    Optional<Checkout> grapevine,
    Optional<Checkout> experiment,
    Instant started,
    List<String> command,
    Path folder,
    long seed,
    SequencedMap<String, String> dataHashes,
    SequencedMap<String, String> sourceHashes,
    SequencedMap<String, String> fileHashes,
    String jdk,
    String os,
    String machine,
    int cores,
    long heapBytes,
    String host,
    long processId,
    Instant processStarted) {

  public Provenance {
    command = List.copyOf(command);
    dataHashes = new LinkedHashMap<>(dataHashes);
    sourceHashes = new LinkedHashMap<>(sourceHashes);
    fileHashes = new LinkedHashMap<>(fileHashes);
  }

  /** The provenance of a run that begins now, in this process. */
  public static Provenance here(
      String version,
      List<String> command,
      Path folder,
      long seed,
      SequencedMap<String, String> dataHashes,
      SequencedMap<String, String> sourceHashes,
      SequencedMap<String, String> fileHashes) {
    return new Provenance(
        version,
        Checkout.ofGrapevine(),
        Checkout.of(folder),
        Instant.now().truncatedTo(ChronoUnit.SECONDS),
        command,
        folder.toAbsolutePath().normalize(),
        seed,
        dataHashes,
        sourceHashes,
        fileHashes,
        System.getProperty("java.vendor") + " " + Runtime.version(),
        System.getProperty("os.name") + " " + System.getProperty("os.version"),
        processor() + " (" + System.getProperty("os.arch") + ")",
        Runtime.getRuntime().availableProcessors(),
        Runtime.getRuntime().maxMemory(),
        HostName.here(),
        ProcessHandle.current().pid(),
        ProcessHandle.current().info().startInstant().orElse(Instant.EPOCH));
  }

  private static String processor() {
    try {
      for (String line : Files.readAllLines(Path.of("/proc/cpuinfo"))) {
        if (line.startsWith("model name")) {
          return line.substring(line.indexOf(':') + 1).strip();
        }
      }
    } catch (IOException notLinux) {
      // Other systems keep it elsewhere; the architecture must do.
    }
    return "unknown processor";
  }

  /** What was written of a run, with a note that it goes on in this process. */
  public static String resumed(JsonNode before, String version, int rounds, List<String> command) {
    ObjectNode json = (ObjectNode) before.deepCopy();
    json.withArray("resumed")
        .addObject()
        .put("at", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString())
        .put("after_round", rounds)
        .put("version", version)
        .put("cores", Runtime.getRuntime().availableProcessors())
        .set("command", Json.MAPPER.valueToTree(command));
    json.put("process_id", ProcessHandle.current().pid());
    json.put(
        "process_started",
        ProcessHandle.current().info().startInstant().orElse(Instant.EPOCH).toString());
    return Json.MAPPER.writeValueAsString(json) + "\n";
  }

  /** What was written of a run, with the run that it branched off from. */
  static String forked(JsonNode before, Path parent, int rounds) {
    ObjectNode json = (ObjectNode) before.deepCopy();
    json.putObject("parent")
        .put("run", parent.toAbsolutePath().normalize().toString())
        .put("after_round", rounds);
    return Json.MAPPER.writeValueAsString(json) + "\n";
  }

  String toJson() {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("version", version);
    json.put("commit", grapevine.map(Checkout::commit).orElse(null));
    json.put("dirty", grapevine.map(Checkout::dirty).orElse(null));
    json.put("experiment_commit", experiment.map(Checkout::commit).orElse(null));
    json.put("experiment_dirty", experiment.map(Checkout::dirty).orElse(null));
    json.put("started", started.toString());
    json.put("command", command);
    json.put("folder", folder.toString());
    json.put("seed", seed);
    json.put("data_hashes", dataHashes);
    json.put("source_hashes", sourceHashes);
    json.put("file_hashes", fileHashes);
    json.put("jdk", jdk);
    json.put("os", os);
    json.put("machine", machine);
    json.put("cores", cores);
    json.put("heap_bytes", heapBytes);
    json.put("host", host);
    json.put("process_id", processId);
    json.put("process_started", processStarted.toString());
    return Json.text(json);
  }
}
