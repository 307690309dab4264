package dev.grapevine.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import de.siegmar.fastcsv.writer.CsvWriter;
import dev.grapevine.engine.kernel.Kernels;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.results.MetricColumn;
import dev.grapevine.results.Metrics;
import dev.grapevine.results.RunDirectory;
import dev.grapevine.runtime.Outcome;
import dev.grapevine.runtime.report.NodeOutcome;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every protocol and every sharing scheme gives the bits it gave when {@code golden-results.csv}
 * was recorded: the same final models, the same course of events, the same messages. For a change
 * that should not be seen from outside.
 *
 * <p>A row is a run of the experiment below with the row's settings laid over it; rows of
 * asynchronous protocols are simulated only, since their course depends on the clock. When the rows
 * of {@code no-communication} differ too, it is training that changed and not the exchange.
 *
 * <p>Training sums in an order that depends on the vector length, so the rows hold for the kernels
 * named in each and are passed over on a machine with others.
 *
 * <p>After a change of behaviour that is wanted, {@code mvn -pl core -am -Dtest=GoldenResultsTest
 * -Dsurefire.failIfNoSpecifiedTests=false -Dgolden.record=true test} fills in all results anew; the
 * difference shows what has changed. A new case is a line with its first four columns. {@code
 * -Dgolden.full=true} tries all rows, not only those of the quick part; {@code -Dgolden.threads=N}
 * sets the number of compute threads, which must make no difference.
 */
@Timeout(120)
class GoldenResultsTest {

  private static final String RECORD = "golden.record";
  private static final Path FILE = Path.of("src", "test", "resources", "golden-results.csv");

  /** The parameters are not a multiple of any vector length and fill no last block: 4585. */
  private static final String EXPERIMENT =
      """
      name = "golden"
      rounds = 10
      [nodes]
      count = 8
      [topology]
      kind = "regular"
      degree = 3
      [data]
      set = "digits"
      partition = "shards"
      [model]
      kind = "mlp"
      hidden = 61
      [training]
      rate = 0.1
      batch-size = 8
      steps = 2
      [evaluation]
      every = 5
      samples = 40
      """;

  /**
   * One run to repeat.
   *
   * @param runtime simulated, memory (live) or tcp (live)
   * @param part quick, or full if it is tried only when asked for
   * @param settings as after {@code --set}, with semicolons between them
   */
  private record Case(String name, String runtime, String part, String settings) {

    Experiment experiment() {
      List<String> assignments = new ArrayList<>();
      assignments.add("runtime.threads=" + Integer.getInteger("golden.threads", 0));
      if (runtime.equals("simulated")) {
        assignments.add("runtime.kind=simulated");
      } else {
        assignments.add("runtime.kind=live");
        assignments.add("network.transport=" + runtime);
      }
      Stream.of(settings.split(";")).map(String::strip).forEach(assignments::add);
      assignments.removeIf(String::isEmpty);
      return Experiment.parse(EXPERIMENT).with(assignments);
    }

    @Override
    public String toString() {
      return name + ", " + runtime;
    }
  }

  /**
   * What came of it.
   *
   * @param kernels what training was done with
   * @param models SHA-256 of all final parameters, node by node, servers last
   * @param losses first half of the SHA-256 of all test losses, round by round, node by node
   * @param trace the trace hash, which covers every message's time, ends, round and payload; only
   *     of a simulated run
   * @param messages how many all nodes sent
   * @param payload bytes in them, without framing
   * @param metadata bytes of the payload that are no values
   */
  private record Golden(
      String kernels,
      String models,
      String losses,
      String trace,
      long messages,
      long payload,
      long metadata) {}

  private record Row(Case given, NamedCsvRecord recorded) {

    Golden expected() {
      return new Golden(
          recorded.getField("kernels"),
          recorded.getField("models"),
          recorded.getField("losses"),
          recorded.getField("trace"),
          Long.parseLong(recorded.getField("messages")),
          Long.parseLong(recorded.getField("payload")),
          Long.parseLong(recorded.getField("metadata")));
    }

    @Override
    public String toString() {
      return given.toString();
    }
  }

  @TempDir private Path folder;

  static List<Row> rows() throws IOException {
    try (CsvReader<NamedCsvRecord> lines =
        CsvReader.builder().allowMissingFields(true).ofNamedCsvRecord(FILE)) {
      return lines.stream()
          .map(line ->
              new Row(
                  new Case(
                      line.getField("name"),
                      line.getField("runtime"),
                      line.getField("part"),
                      line.getField("settings")),
                  line))
          .toList();
    }
  }

  static List<Row> rowsToTry() throws IOException {
    boolean full = Boolean.getBoolean("golden.full");
    return rows().stream().filter(row -> full || row.given().part().equals("quick")).toList();
  }

  @ParameterizedTest
  @MethodSource("rowsToTry")
  @DisabledIfSystemProperty(named = RECORD, matches = "true")
  void givesTheBitsItGave(Row row) throws IOException {
    Golden expected = row.expected();
    assumeTrue(
        Kernels.best().name().equals(expected.kernels()),
        () -> "recorded with %s, here is %s".formatted(expected.kernels(), Kernels.best().name()));

    assertThat(run(row.given(), folder.resolve("run"))).isEqualTo(expected);
  }

  @Test
  @Timeout(600)
  @EnabledIfSystemProperty(named = RECORD, matches = "true")
  void recordsTheResults() throws IOException {
    List<Row> rows = rows();
    List<Golden> results = new ArrayList<>();
    for (Row row : rows) {
      results.add(run(row.given(), folder.resolve(Integer.toString(results.size()))));
    }
    try (CsvWriter csv = CsvWriter.builder().build(FILE)) {
      csv.writeRecord(
          "name",
          "runtime",
          "part",
          "settings",
          "kernels",
          "models",
          "losses",
          "trace",
          "messages",
          "payload",
          "metadata");
      for (int i = 0; i < rows.size(); i++) {
        Case given = rows.get(i).given();
        Golden result = results.get(i);
        csv.writeRecord(
            given.name(),
            given.runtime(),
            given.part(),
            given.settings(),
            result.kernels(),
            result.models(),
            result.losses(),
            result.trace(),
            Long.toString(result.messages()),
            Long.toString(result.payload()),
            Long.toString(result.metadata()));
      }
    }
  }

  private static Golden run(Case given, Path directory) throws IOException {
    RunResult result = Run.of(given.experiment()).into(directory).savesModels(true).start();
    assertThat(result.outcome().ending())
        .as("%s: %s", given, result.outcome().reason())
        .isEqualTo(Outcome.Ending.DONE);
    return new Golden(
        Kernels.best().name(),
        models(result.directory()),
        losses(result),
        result.outcome().traceHash().orElse(""),
        total(result, node -> node.traffic().messagesSent()),
        total(result, node -> node.traffic().payloadSent()),
        total(result, node -> node.traffic().metadataSent()));
  }

  private static long total(RunResult result, ToLongFunction<NodeOutcome> figure) {
    return result.outcome().nodes().stream().mapToLong(figure).sum();
  }

  private static String models(RunDirectory directory) throws IOException {
    MessageDigest hash = sha256();
    for (int node = 0; Files.exists(directory.modelFile(node)); node++) {
      byte[] file = Files.readAllBytes(directory.modelFile(node));
      // Only the values: what the header of a safetensors file tells about them may change.
      int header = Math.toIntExact(ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).getLong(0));
      hash.update(file, Long.BYTES + header, file.length - Long.BYTES - header);
    }
    return HexFormat.of().formatHex(hash.digest());
  }

  private static String losses(RunResult result) {
    MetricColumn losses = result.read().metric(Metrics.TEST_LOSS).orElseThrow();
    MessageDigest hash = sha256();
    ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES);
    for (int index = 0; index < losses.rounds(); index++) {
      for (double loss : losses.values(index)) {
        hash.update(bytes.putDouble(0, loss).array());
      }
    }
    return HexFormat.of().formatHex(hash.digest(), 0, 16);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JVM has SHA-256", e);
    }
  }
}
