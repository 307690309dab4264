package dev.grapevine.results;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * How often nodes have sent each hundredth of their coordinates, rarest first: {@code
 * share-counts.csv}.
 *
 * @param byNode node to {@value #COUNT} mean counts, in the order of nodes
 */
public record SharePercentiles(SequencedMap<Integer, double[]> byNode) {

  /** How many parts the coordinates are cut into. */
  public static final int COUNT = 100;

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
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    SequencedMap<Integer, double[]> byNode = new TreeMap<>();
    try {
      String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
      for (String line : text.substring(0, text.lastIndexOf('\n') + 1).lines().toList()) {
        if (line.matches("\\d{1,7}(,\\d{1,6}(\\.\\d{1,9})?){" + COUNT + "}")) {
          String[] fields = line.split(",", -1);
          byNode.put(
              Integer.valueOf(fields[0]),
              IntStream.rangeClosed(1, COUNT)
                  .mapToDouble(i -> Double.parseDouble(fields[i]))
                  .toArray());
        }
      }
    } catch (IOException unreadable) {
      return Optional.empty();
    }
    return byNode.isEmpty() ? Optional.empty() : Optional.of(new SharePercentiles(byNode));
  }

  /** What the nodes have in one of the hundredths, in the order of nodes. */
  double[] values(int part) {
    return byNode.values().stream().mapToDouble(means -> means[part]).toArray();
  }
}
