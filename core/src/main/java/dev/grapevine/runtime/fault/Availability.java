package dev.grapevine.runtime.fault;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import dev.grapevine.FileProblem;
import dev.grapevine.settings.SettingException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * When nodes come and go: a CSV file with the columns {@code time} (s), {@code node} and {@code
 * event} ({@code join} or {@code leave}). A node whose first event is a join is away until then.
 * While a node is away its code stands still and messages to it are lost.
 *
 * @param changes by rising time
 */
public record Availability(List<Change> changes) {

  /** Nobody comes or goes. */
  public static final Availability ALWAYS = new Availability(List.of());

  private static final double NANOS = 1e9;

  /**
   * A node comes or goes.
   *
   * @param time in ns of virtual time
   */
  public record Change(long time, int node, boolean joins) {}

  public Availability {
    changes = changes.stream().sorted(Comparator.comparingLong(Change::time)).toList();
  }

  /** Reads a file; a {@link SettingException} names the line that is wrong. */
  public static Availability read(Path file, int nodes) {
    List<Change> changes = new ArrayList<>();
    try (CsvReader<NamedCsvRecord> rows =
        CsvReader.builder().detectBomHeader(true).ofNamedCsvRecord(file)) {
      for (NamedCsvRecord row : rows) {
        changes.add(change(row, file, nodes));
      }
    } catch (IOException e) {
      throw new SettingException(
          "availability", "cannot read %s: %s".formatted(file, FileProblem.reason(e)));
    }
    return new Availability(changes);
  }

  private static Change change(NamedCsvRecord row, Path file, int nodes) {
    String event = row.findField("event").orElse("").strip();
    try {
      double time = Double.parseDouble(row.findField("time").orElse("").strip());
      int node = Integer.parseInt(row.findField("node").orElse("").strip());
      if (time >= 0
          && time < 1e9
          && node >= 0
          && node < nodes
          && (event.equals("join") || event.equals("leave"))) {
        return new Change(Math.round(time * NANOS), node, event.equals("join"));
      }
    } catch (NumberFormatException e) {
      // Reported below with the rest of the line.
    }
    throw new SettingException(
        "availability",
        "line %d of %s must be a time in seconds, a node below %d, and join or leave: %s"
            .formatted(row.getStartingLineNumber(), file, nodes, row.getFields()));
  }
}
