package dev.grapevine.data.source;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import dev.grapevine.FileProblem;
import dev.grapevine.UserException;
import dev.grapevine.data.Users;
import dev.grapevine.data.VectorSet;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;
import java.util.function.IntPredicate;

/** Reads tables of numbers; all tables read by one object must have the same columns. */
final class CsvTable {

  /** The rows of one file. */
  static final class Rows {

    private final List<float[]> vectors = new ArrayList<>();
    private final List<String> targets = new ArrayList<>();
    private final List<String> users = new ArrayList<>();
    private final Path file;

    private Rows(Path file) {
      this.file = file;
    }

    int size() {
      return vectors.size();
    }

    IntPredicate all() {
      return row -> true;
    }
  }

  private final Csv.Settings settings;
  private final TreeSet<String> classNames = new TreeSet<>(CsvTable::numbersFirst);
  private final List<List<String>> headers = new ArrayList<>();

  CsvTable(Csv.Settings settings) {
    this.settings = settings;
  }

  /** A reader that leaves rows of the wrong length to the caller, whose message says the line. */
  static CsvReader.CsvReaderBuilder reader() {
    return CsvReader.builder()
        .detectBomHeader(true)
        .allowExtraFields(true)
        .allowMissingFields(true);
  }

  Rows read(Path file) {
    Rows rows = new Rows(file);
    try (CsvReader<CsvRecord> records = CsvTable.reader().ofCsvRecord(file)) {
      List<String> header = List.of();
      int target = -1;
      int user = -1;
      for (CsvRecord record : records) {
        if (header.isEmpty()) {
          header = record.getFields();
          headers.add(header);
          target = column(header, settings.target(), "target", file);
          user =
              settings.userColumn().isPresent()
                  ? column(header, settings.userColumn().get(), "user-column", file)
                  : -1;
        } else {
          row(record, header, target, user, rows);
        }
      }
    } catch (IOException | CsvParseException failure) {
      throw new UserException(
          "%s: cannot be read: %s".formatted(file, FileProblem.reason(failure)), failure);
    }
    if (rows.size() == 0) {
      throw new UserException("%s: the table has no rows below its header".formatted(file));
    }
    return rows;
  }

  private void row(CsvRecord record, List<String> header, int target, int user, Rows rows) {
    String where = rows.file + ":" + record.getStartingLineNumber();
    if (record.getFieldCount() != header.size()) {
      throw new UserException(
          "%s: the row has %d fields, the header %d; the file may be cut off"
              .formatted(where, record.getFieldCount(), header.size()));
    }
    float[] vector = new float[header.size() - (user < 0 ? 1 : 2)];
    int filled = 0;
    for (int i = 0; i < header.size(); i++) {
      String field = record.getField(i).strip();
      if (i == target) {
        rows.targets.add(field);
        if (settings.task() == Csv.Task.CLASSES) {
          classNames.add(field);
        } else {
          number(field, header.get(i), where);
        }
      } else if (i == user) {
        rows.users.add(field);
      } else {
        vector[filled++] = number(field, header.get(i), where);
      }
    }
    rows.vectors.add(vector);
  }

  void requireSameColumns() {
    if (!headers.getFirst().equals(headers.getLast())) {
      throw new UserException(
          "file and test-file must have the same columns: %s and %s"
              .formatted(headers.getFirst(), headers.getLast()));
    }
  }

  /** Scales the columns of both tables by the chosen rows of the first. */
  static void standardise(Rows from, IntPredicate chosen, Rows other) {
    int columns = from.vectors.getFirst().length;
    for (int column = 0; column < columns; column++) {
      double sum = 0;
      double squares = 0;
      int count = 0;
      for (int row = 0; row < from.size(); row++) {
        if (chosen.test(row)) {
          sum += from.vectors.get(row)[column];
          count++;
        }
      }
      double mean = sum / Math.max(1, count);
      for (int row = 0; row < from.size(); row++) {
        if (chosen.test(row)) {
          double distance = from.vectors.get(row)[column] - mean;
          squares += distance * distance;
        }
      }
      double deviation = Math.sqrt(squares / Math.max(1, count));
      // A constant column says nothing: it becomes 0.
      double scale = deviation > 0 ? 1 / deviation : 0;
      scale(from, column, mean, scale);
      if (other != from) {
        scale(other, column, mean, scale);
      }
    }
  }

  private static void scale(Rows rows, int column, double mean, double scale) {
    for (float[] vector : rows.vectors) {
      vector[column] = (float) ((vector[column] - mean) * scale);
    }
  }

  VectorSet build(Rows rows) {
    List<String> names = List.copyOf(classNames);
    VectorSet.Builder builder = new VectorSet.Builder(rows.vectors.getFirst().length);
    UserList users = new UserList();
    for (int row = 0; row < rows.size(); row++) {
      String target = rows.targets.get(row);
      float value =
          settings.task() == Csv.Task.CLASSES
              ? Collections.binarySearch(names, target, CsvTable::numbersFirst)
              : Float.parseFloat(target);
      builder.add(rows.vectors.get(row), value);
      if (!rows.users.isEmpty()) {
        users.add(users.number(rows.users.get(row)));
      }
    }
    return builder.build("csv", names, rows.users.isEmpty() ? Users.NONE : users.build());
  }

  private static int column(List<String> header, String name, String key, Path file) {
    int column = header.indexOf(name);
    if (column < 0) {
      throw new UserException(
          "%s:1: there is no column %s=\"%s\"; columns are %s".formatted(file, key, name, header));
    }
    return column;
  }

  private static float number(String text, String column, String where) {
    try {
      float value = Float.parseFloat(text);
      if (Float.isFinite(value)) {
        return value;
      }
    } catch (NumberFormatException notANumber) {
      // falls through to the message below
    }
    throw new UserException(
        "%s: column %s must hold a number, but holds \"%s\"".formatted(where, column, text));
  }

  /** Class names that are whole numbers count as such, so that 10 comes after 9. */
  private static int numbersFirst(String a, String b) {
    boolean bothNumbers = isNumber(a) && isNumber(b);
    int byValue = bothNumbers ? Long.compare(Long.parseLong(a), Long.parseLong(b)) : 0;
    int byKind = Boolean.compare(isNumber(b), isNumber(a));
    int[] comparisons = {byKind, byValue, a.compareTo(b)};
    return Arrays.stream(comparisons).filter(c -> c != 0).findFirst().orElse(0);
  }

  private static boolean isNumber(String text) {
    return text.matches("-?\\d{1,15}");
  }
}
