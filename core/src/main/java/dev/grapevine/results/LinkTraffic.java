package dev.grapevine.results;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Bytes that nodes have sent to each other: {@code links.csv}.
 *
 * @param links in the order of senders, then receivers
 */
public record LinkTraffic(List<Link> links) {

  /** What one node has sent to another, framing included. */
  public record Link(int from, int to, long bytes) {}

  private static final String HEADER = "from,to,bytes\n";
  private static final int MOST_NODES = 999_999_999;
  private static final long MOST_BYTES = 999_999_999_999_999_999L;

  public LinkTraffic {
    links = List.copyOf(links);
  }

  /** What was sent between two nodes, by {@link #pair}; both directions together. */
  public Map<Long, Long> byPair() {
    Map<Long, Long> bytes = new LinkedHashMap<>();
    for (Link link : links) {
      bytes.merge(pair(link.from, link.to), link.bytes, Long::sum);
    }
    return bytes;
  }

  /** A number for two nodes, in whichever order. */
  public static long pair(int one, int other) {
    return (long) Math.min(one, other) << 32 | Math.max(one, other);
  }

  String toCsv() {
    StringBuilder csv = new StringBuilder(HEADER);
    for (Link link : links) {
      csv.append(link.from).append(',').append(link.to).append(',').append(link.bytes);
      csv.append('\n');
    }
    return csv.toString();
  }

  /** Reads the file; lines that make no sense and a last one without its end are passed over. */
  static Optional<LinkTraffic> read(Path file) {
    List<Link> links =
        SmallCsv.rows(
            file,
            3,
            line ->
                new Link(
                    SmallCsv.smallCount(line, 0, MOST_NODES),
                    SmallCsv.smallCount(line, 1, MOST_NODES),
                    SmallCsv.count(line, 2, MOST_BYTES)));
    return links.isEmpty() ? Optional.empty() : Optional.of(new LinkTraffic(links));
  }
}
