package dev.grapevine.results;

import dev.grapevine.FileProblem;
import dev.grapevine.UserException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What the workers of a run have recorded for themselves, put into the files of the whole run. Only
 * of use where the coordinator died, which otherwise has it all; may be done as often as wanted.
 *
 * @param parts how many workers had recorded something
 * @param figures how many figures the run has now
 * @param added how many of them it had not before
 */
public record MergedParts(int parts, int figures, int added) {

  /** A figure's line, by when and at which node it was recorded. */
  private record Line(double time, int node, String text) {}

  /** Merges the parts of a run that is over. */
  public static MergedParts in(RunDirectory run) {
    List<RunDirectory> parts = parts(run.path());
    if (parts.isEmpty()) {
      throw new UserException(
          "%s has no parts of workers to merge: it must be the directory of a launched run"
              .formatted(run.path()));
    }
    Map<String, Line> figures = new HashMap<>();
    read(run.metricsFile(), figures);
    int before = figures.size();
    parts.forEach(part -> read(part.metricsFile(), figures));
    List<Line> lines = new ArrayList<>(figures.values());
    lines.sort(
        Comparator.comparingDouble(Line::time)
            .thenComparingInt(Line::node)
            .thenComparing(Line::text));
    StringBuilder text = new StringBuilder(MetricsWriter.HEADER);
    lines.forEach(line -> text.append(line.text).append('\n'));
    AtomicFiles.write(run.metricsFile(), text.toString());
    mergeLinks(run, parts);
    return new MergedParts(parts.size(), figures.size(), figures.size() - before);
  }

  private static List<RunDirectory> parts(Path run) {
    Path folder = run.resolve("parts");
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> inside = Files.list(folder)) {
      return inside.filter(Files::isDirectory).sorted().map(RunDirectory::new).toList();
    } catch (IOException e) {
      throw new UserException("cannot list %s: %s".formatted(folder, FileProblem.reason(e)), e);
    }
  }

  /** Takes the whole lines of a file; one that was cut off, and what makes no sense, is left. */
  private static void read(Path file, Map<String, Line> figures) {
    if (!Files.exists(file)) {
      return;
    }
    String text;
    try {
      text = Files.readString(file, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UserException("cannot read %s: %s".formatted(file, FileProblem.reason(e)), e);
    }
    int begin = text.indexOf('\n') + 1;
    for (int end = text.indexOf('\n', begin); end >= 0; end = text.indexOf('\n', begin)) {
      String line = text.substring(begin, end);
      begin = end + 1;
      String[] fields = line.split(",", -1);
      if (fields.length == 5) {
        try {
          figures.put(
              "%s,%s,%s".formatted(fields[0], fields[1], fields[2]),
              new Line(Double.parseDouble(fields[4]), Integer.parseInt(fields[0]), line));
        } catch (NumberFormatException nonsense) {
          continue;
        }
      }
    }
  }

  /** Each count only grows, so that the largest that anybody has is the latest. */
  private static void mergeLinks(RunDirectory run, List<RunDirectory> parts) {
    Map<Long, LinkTraffic.Link> links = new TreeMap<>();
    Stream.concat(Stream.of(run), parts.stream())
        .flatMap(each -> LinkTraffic.read(each.linksFile()).stream())
        .flatMap(traffic -> traffic.links().stream())
        .forEach(link ->
            links.merge(
                (long) link.from() << 32 | link.to(),
                link,
                (one, other) -> one.bytes() >= other.bytes() ? one : other));
    if (!links.isEmpty()) {
      run.writeLinks(new LinkTraffic(List.copyOf(links.values())));
    }
  }
}
