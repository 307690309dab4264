package dev.grapevine.results;

import de.siegmar.fastcsv.reader.CsvRecord;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeMap;

/**
 * How often nodes have sent each hundredth of their coordinates, rarest first: {@code
 * share-counts.csv}.
 *
 * @param byNode node to {@value #COUNT} mean counts, in the order of nodes
 */
public record SharePercentiles(SequencedMap<Integer, double[]> byNode) {

  /** How many parts the coordinates are cut into. */
  public static final int COUNT = 100;

  private static final int MOST_NODES = 9_999_999;
  private static final double MOST_TIMES = 1e6;

  /** What the curves are called. */
  public static final String METRIC = "times_shared";

  String toCsv() {
    StringBuilder csv = new StringBuilder("node");
    for (int part = 1; part <= COUNT; part++) {
      csv.append(",p").append(part);
    }
    csv.append('\n');
    byNode.forEach((node, means) -> {
      csv.append(node);
      for (double mean : means) {
        csv.append(',').append(number(mean));
      }
      csv.append('\n');
    });
    return csv.toString();
  }

  private static String number(double mean) {
    return mean == Math.rint(mean)
        ? Long.toString((long) mean)
        : String.format(Locale.ROOT, "%.3f", mean);
  }

  /** Reads the file; lines that make no sense and a last one without its end are passed over. */
  static Optional<SharePercentiles> read(Path file) {
    SequencedMap<Integer, double[]> byNode = new TreeMap<>();
    for (double[] row : SmallCsv.rows(file, COUNT + 1, SharePercentiles::row)) {
      byNode.put((int) row[0], Arrays.copyOfRange(row, 1, row.length));
    }
    return byNode.isEmpty() ? Optional.empty() : Optional.of(new SharePercentiles(byNode));
  }

  private static double[] row(CsvRecord line) {
    double[] row = new double[COUNT + 1];
    row[0] = SmallCsv.smallCount(line, 0, MOST_NODES);
    for (int part = 1; part <= COUNT; part++) {
      row[part] = Double.parseDouble(line.getField(part));
      if (!(row[part] >= 0 && row[part] < MOST_TIMES)) {
        throw new NumberFormatException();
      }
    }
    return row;
  }

  /** What the nodes have in one of the hundredths, in the order of nodes. */
  double[] values(int part) {
    return byNode.values().stream().mapToDouble(means -> means[part]).toArray();
  }
}
