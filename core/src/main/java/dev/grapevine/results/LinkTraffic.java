package dev.grapevine.results;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Bytes that nodes have sent to each other: {@code links.csv}.
 *
 * @param links in the order of senders, then receivers
 */
public record LinkTraffic(List<Link> links) {

  /** What one node has sent to another, framing included. */
  public record Link(int from, int to, long bytes) {}

  private static final String HEADER = "from,to,bytes\n";
  private static final Pattern LINE = Pattern.compile("\\d{1,9},\\d{1,9},\\d{1,18}");

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
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    List<Link> links = new ArrayList<>();
    try {
      String text = new String(Files.readAllBytes(file), StandardCharsets.US_ASCII);
      for (String line : text.substring(0, text.lastIndexOf('\n') + 1).lines().toList()) {
        if (LINE.matcher(line).matches()) {
          String[] fields = line.split(",", -1);
          links.add(
              new Link(
                  Integer.parseInt(fields[0]),
                  Integer.parseInt(fields[1]),
                  Long.parseLong(fields[2])));
        }
      }
    } catch (IOException unreadable) {
      return Optional.empty();
    }
    return links.isEmpty() ? Optional.empty() : Optional.of(new LinkTraffic(links));
  }
}
