package dev.grapevine.results;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Reads small files of numbers that a run writes. As a run may be cut off, lines that make no sense
 * and a last one without its end are passed over, and a file that is missing has no lines.
 */
final class SmallCsv {

  private SmallCsv() {}

  /**
   * The rows of lines that have so many fields.
   *
   * @param row makes a row; a {@link NumberFormatException} says that the line makes no sense
   */
  static <R> List<R> rows(Path file, int columns, Function<CsvRecord, R> row) {
    List<R> rows = new ArrayList<>();
    for (CsvRecord line : lines(file)) {
      if (line.getFieldCount() == columns) {
        try {
          rows.add(row.apply(line));
        } catch (NumberFormatException nonsense) {
          // Passed over.
        }
      }
    }
    return rows;
  }

  private static List<CsvRecord> lines(Path file) {
    if (!Files.exists(file)) {
      return List.of();
    }
    try {
      String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
      String whole = text.substring(0, text.lastIndexOf('\n') + 1);
      // No field is ever quoted, so a stray quote must not join lines.
      return CsvReader.builder()
          .quoteCharacter('\0')
          .allowMissingFields(true)
          .allowExtraFields(true)
          .ofCsvRecord(whole)
          .stream()
          .toList();
    } catch (IOException | CsvParseException unreadable) {
      return List.of();
    }
  }

  /** A field that counts something. */
  static long count(CsvRecord line, int field, long most) {
    long count = Long.parseLong(line.getField(field));
    if (count < 0 || count > most) {
      throw new NumberFormatException();
    }
    return count;
  }

  /** As {@link #count}, for numbers that an int holds. */
  static int smallCount(CsvRecord line, int field, int most) {
    return (int) count(line, field, most);
  }
}
