package dev.grapevine.network;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import dev.grapevine.FileProblem;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.settings.SettingException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Access links that change over time, from a CSV file with the columns {@code time} (s), {@code
 * node}, {@code latency} (ms), {@code upload} and {@code download} (Mbit/s). A row holds until the
 * next one of the same node; the first one also before its time. A message takes the latency of its
 * sender plus that of its receiver.
 */
@Kind(name = "trace", summary = "access links that change over time, read from a CSV file")
public final class TraceLinks implements LinkModel {

  /** The settings of {@link TraceLinks}. */
  public record Settings(
      @Doc("CSV file with columns time (s), node, latency (ms), upload, download (Mbit/s)")
          Path file,
      @Doc("a uniform random delay up to this much is added") @Default("0 ms") Duration jitter,
      @Doc("share of messages that are lost, from 0 to 1") @Default("0") double loss) {

    public Settings {
      Disturbance.check(Duration.ZERO, jitter, loss);
    }
  }

  private record State(long latency, double uplink, double downlink) {}

  private static final double NANOS = 1e9;
  private static final double NANOS_PER_MILLI = 1e6;

  /** Mbit/s in bytes per nanosecond. */
  private static final double MEGABIT = 1e6 / 8 / NANOS;

  private final List<TreeMap<Long, State>> states = new ArrayList<>();
  private final TreeSet<Long> changes = new TreeSet<>();
  private final Disturbance disturbance;

  public TraceLinks(Settings settings, LinkContext context) {
    for (int node = 0; node < context.nodes(); node++) {
      states.add(new TreeMap<>());
    }
    disturbance = new Disturbance(settings.jitter(), settings.loss(), context.seed());
    read(settings.file());
  }

  private void read(Path file) {
    try (CsvReader<NamedCsvRecord> rows =
        CsvReader.builder().detectBomHeader(true).ofNamedCsvRecord(file)) {
      for (NamedCsvRecord row : rows) {
        int node = (int) number(row, "node", file);
        if (node < states.size()) {
          long time = Math.round(number(row, "time", file) * NANOS);
          State state =
              new State(
                  Math.round(number(row, "latency", file) * NANOS_PER_MILLI),
                  number(row, "upload", file) * MEGABIT,
                  number(row, "download", file) * MEGABIT);
          states.get(node).put(time, state);
          changes.add(time);
        }
      }
    } catch (IOException e) {
      throw new SettingException(
          "file", "cannot read %s: %s".formatted(file, FileProblem.reason(e)));
    }
    for (int node = 0; node < states.size(); node++) {
      SettingException.require(
          !states.get(node).isEmpty(), "file", "%s has no row for node %d".formatted(file, node));
    }
  }

  private static double number(NamedCsvRecord row, String column, Path file) {
    String text = row.findField(column).orElse("").strip();
    double value;
    try {
      value = Double.parseDouble(text);
    } catch (NumberFormatException e) {
      value = Double.NaN;
    }
    boolean isRate = column.equals("upload") || column.equals("download");
    SettingException.require(
        (isRate ? value > 0 : value >= 0) && value < 1e9,
        "file",
        "line %d of %s: \"%s\" is no value for %s"
            .formatted(row.getStartingLineNumber(), file, text, column));
    return value;
  }

  private State state(int node, long now) {
    NavigableMap<Long, State> history = states.get(node);
    var entry = history.floorEntry(now);
    return entry != null ? entry.getValue() : history.firstEntry().getValue();
  }

  @Override
  public long latency(int sender, int receiver, long now, long ordinal) {
    long latency = state(sender, now).latency() + state(receiver, now).latency();
    return disturbance.disturb(latency, sender, receiver, ordinal);
  }

  @Override
  public double uplink(int node, long now) {
    return state(node, now).uplink();
  }

  @Override
  public double downlink(int node, long now) {
    return state(node, now).downlink();
  }

  @Override
  public boolean limitsBandwidth() {
    return true;
  }

  @Override
  public long nextChange(long now) {
    Long next = changes.higher(now);
    return next == null ? Long.MAX_VALUE : next;
  }
}
