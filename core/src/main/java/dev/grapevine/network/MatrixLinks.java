package dev.grapevine.network;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import dev.grapevine.FileProblem;
import dev.grapevine.settings.Bandwidth;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.settings.SettingException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** A delay of its own for every pair of nodes, from a file. */
@Kind(name = "matrix", summary = "a delay for every pair of nodes, read from a CSV file")
public final class MatrixLinks implements LinkModel {

  /** The settings of {@link MatrixLinks}. */
  public record Settings(
      @Doc("CSV file: row = sender, column = receiver, entries in milliseconds") Path file,
      @Doc("what a node can send; unlimited if not given") Optional<Bandwidth> upload,
      @Doc("what a node can receive; unlimited if not given") Optional<Bandwidth> download,
      @Doc("a uniform random delay up to this much is added") @Default("0 ms") Duration jitter,
      @Doc("share of messages that are lost, from 0 to 1") @Default("0") double loss) {

    public Settings {
      Disturbance.check(Duration.ZERO, jitter, loss);
    }
  }

  private static final double NANOS = 1e9;
  private static final double NANOS_PER_MILLI = 1e6;

  private final long[][] latencies;
  private final double uplink;
  private final double downlink;
  private final Disturbance disturbance;

  public MatrixLinks(Settings settings, LinkContext context) {
    latencies = read(settings.file(), context.nodes());
    uplink = bytesPerNano(settings.upload());
    downlink = bytesPerNano(settings.download());
    disturbance = new Disturbance(settings.jitter(), settings.loss(), context.seed());
  }

  private static double bytesPerNano(Optional<Bandwidth> bandwidth) {
    return bandwidth.map(limit -> limit.bytesPerSecond() / NANOS).orElse(Double.POSITIVE_INFINITY);
  }

  private static long[][] read(Path file, int nodes) {
    long[][] matrix = new long[nodes][nodes];
    try (CsvReader<CsvRecord> rows = CsvReader.builder().detectBomHeader(true).ofCsvRecord(file)) {
      int row = 0;
      for (CsvRecord record : rows) {
        if (row == nodes) {
          break;
        }
        SettingException.require(
            record.getFieldCount() >= nodes,
            "file",
            "line %d of %s has too few columns: columns=%d, nodes=%d"
                .formatted(record.getStartingLineNumber(), file, record.getFieldCount(), nodes));
        for (int column = 0; column < nodes; column++) {
          matrix[row][column] = nanos(record.getField(column), record, file);
        }
        row++;
      }
      SettingException.require(
          row == nodes,
          "file",
          "%s has too few lines: lines=%d, nodes=%d".formatted(file, row, nodes));
    } catch (IOException e) {
      throw new SettingException(
          "file", "cannot read %s: %s".formatted(file, FileProblem.reason(e)));
    }
    return matrix;
  }

  private static long nanos(String field, CsvRecord record, Path file) {
    double millis;
    try {
      millis = Double.parseDouble(field.strip());
    } catch (NumberFormatException e) {
      millis = Double.NaN;
    }
    SettingException.require(
        millis >= 0 && millis < 1e9,
        "file",
        "line %d of %s: \"%s\" is no delay in milliseconds"
            .formatted(record.getStartingLineNumber(), file, field));
    return Math.round(millis * NANOS_PER_MILLI);
  }

  @Override
  public long latency(int sender, int receiver, long now, long ordinal) {
    return disturbance.disturb(latencies[sender][receiver], sender, receiver, ordinal);
  }

  @Override
  public double uplink(int node, long now) {
    return uplink;
  }

  @Override
  public double downlink(int node, long now) {
    return downlink;
  }

  @Override
  public boolean limitsBandwidth() {
    return Double.isFinite(uplink) || Double.isFinite(downlink);
  }
}
