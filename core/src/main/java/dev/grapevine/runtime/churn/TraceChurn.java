package dev.grapevine.runtime.churn;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import dev.grapevine.FileProblem;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.settings.SettingException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * When nodes come and go, by a CSV file with the columns {@code node}, {@code time} (s) or {@code
 * round}, and {@code event}: {@code leave} or {@code join}. A node whose first event is a join is
 * away until then; one that does not join again after it left stays away. A further column {@code
 * with} may say for each join what the node comes back with.
 */
@Kind(name = "trace", summary = "joins and leaves from a CSV file: node, time or round, event")
public final class TraceChurn implements Churn {

  /** The settings of {@link TraceChurn}. */
  public record Settings(
      @Doc(
              "CSV file with the columns node, time (s) or round, and event (join or leave); a column"
                  + " with is taken where it is there")
          Path file,
      @Doc("what nodes come back with where the file does not say it") @Default("memory")
          ComesBackWith with) {}

  private final ByNode absences;

  public TraceChurn(Settings settings, ChurnContext context) {
    List<List<Change>> changes = new ArrayList<>();
    for (int node = 0; node < context.nodes(); node++) {
      changes.add(new ArrayList<>(0));
    }
    read(settings, changes);
    absences = new ByNode(context.nodes());
    for (int node = 0; node < context.nodes(); node++) {
      enter(node, changes.get(node), settings.with());
    }
    absences.requireOrder("file");
  }

  private record Change(Moment at, boolean joins, ComesBackWith with, long line) {}

  private static void read(Settings settings, List<List<Change>> changes) {
    Path file = settings.file();
    try (CsvReader<NamedCsvRecord> rows =
        CsvReader.builder().detectBomHeader(true).ofNamedCsvRecord(file)) {
      boolean isEmpty = true;
      for (NamedCsvRecord row : rows) {
        requireColumns(row.getHeader(), file);
        isEmpty = false;
        int node = node(row, file, changes.size());
        changes.get(node).add(change(row, file, settings.with()));
      }
      SettingException.require(
          !isEmpty,
          "file",
          "%s has no events, so that nobody would come or go: write some, or set kind = \"none\""
              .formatted(file));
    } catch (IOException | UncheckedIOException e) {
      throw unreadable(file, e);
    } catch (CsvParseException e) {
      throw e.getCause() instanceof IOException cause
          ? unreadable(file, cause)
          : new SettingException(
              "file", "%s is not a CSV file: %s".formatted(file, e.getMessage()));
    }
  }

  private static SettingException unreadable(Path file, Exception cause) {
    return new SettingException(
        "file", "cannot read %s: %s".formatted(file, FileProblem.reason(cause)));
  }

  private static void requireColumns(List<String> columns, Path file) {
    SettingException.require(
        columns.contains("node")
            && columns.contains("event")
            && (columns.contains("time") || columns.contains("round")),
        "file",
        "%s must begin with a line of the columns node, time or round, and event, separated by"
                .formatted(file)
            + " commas: "
            + columns);
  }

  private void enter(int node, List<Change> changes, ComesBackWith usual) {
    try {
      changes.sort(Comparator.comparing(Change::at));
    } catch (IllegalArgumentException mixed) {
      throw new SettingException(
          "file", "all events of one node must have times or all rounds: node=" + node);
    }
    Deque<Absence> own = new ArrayDeque<>();
    @Nullable Moment since = null;
    for (int i = 0; i < changes.size(); i++) {
      Change change = changes.get(i);
      if (change.joins()) {
        if (since != null || (i == 0 && !change.at().isStart())) {
          Moment from = since == null ? Moment.START : since;
          if (change.at().compareTo(from) > 0) {
            own.add(new Absence(from, change.at(), change.with()));
          }
          since = null;
        }
      } else if (since == null) {
        Absence last = own.peekLast();
        boolean hasJustJoined = last != null && change.at().equals(last.to());
        since = hasJustJoined ? own.removeLast().from() : change.at();
      }
    }
    if (since != null) {
      own.add(new Absence(since, null, usual));
    }
    own.forEach(absence -> absences.add(node, absence));
  }

  private static int node(NamedCsvRecord row, Path file, int nodes) {
    try {
      int node = Integer.parseInt(field(row, "node"));
      if (node >= 0 && node < nodes) {
        return node;
      }
    } catch (NumberFormatException e) {
      // Reported below.
    }
    throw wrong(row, file, "a node below " + nodes);
  }

  private static Change change(NamedCsvRecord row, Path file, ComesBackWith usual) {
    String event = field(row, "event");
    if (!event.equals("join") && !event.equals("leave")) {
      throw wrong(row, file, "the event join or leave");
    }
    return new Change(
        moment(row, file),
        event.equals("join"),
        with(row, file, usual),
        row.getStartingLineNumber());
  }

  private static Moment moment(NamedCsvRecord row, Path file) {
    String round = field(row, "round");
    try {
      String time = field(row, "time");
      double at = Double.parseDouble(round.isEmpty() ? time : round);
      boolean isOneOfThem = round.isEmpty() || time.isEmpty();
      if (isOneOfThem && at >= 0 && at < 1e9 && (round.isEmpty() || at == Math.rint(at))) {
        return round.isEmpty() ? new Moment(false, Math.round(at * 1e9)) : Moment.ofRound((int) at);
      }
    } catch (NumberFormatException e) {
      // Reported below.
    }
    throw wrong(row, file, "a time in seconds or a round, and not both");
  }

  private static ComesBackWith with(NamedCsvRecord row, Path file, ComesBackWith usual) {
    String with = field(row, "with");
    if (with.isEmpty()) {
      return usual;
    }
    for (ComesBackWith way : ComesBackWith.values()) {
      if (way.name().toLowerCase(Locale.ROOT).equals(with)) {
        return way;
      }
    }
    throw wrong(row, file, "with memory, checkpoint, fresh or neighbour");
  }

  private static String field(NamedCsvRecord row, String name) {
    Optional<String> field = row.findField(name);
    return field.orElse("").strip();
  }

  private static SettingException wrong(NamedCsvRecord row, Path file, String what) {
    return new SettingException(
        "file",
        "line %d of %s must have %s: %s"
            .formatted(row.getStartingLineNumber(), file, what, row.getFields()));
  }

  @Override
  public Iterator<Absence> absences(int node) {
    return absences.of(node);
  }

  @Override
  public Set<ComesBackWith> ways() {
    return absences.ways();
  }
}
