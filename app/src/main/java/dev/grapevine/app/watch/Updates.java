package dev.grapevine.app.watch;

import dev.grapevine.app.console.Texts;
import dev.grapevine.app.report.PageData;
import dev.grapevine.launch.RunProgress;
import dev.grapevine.results.Metrics;
import dev.grapevine.results.RunDirectory;
import dev.grapevine.results.SavedRun;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The events that one browser hears. */
final class Updates {

  private final Path directory;
  private final int rounds;
  private final MetricsTail tail;
  private @Nullable RunProgress shown;
  private boolean first = true;

  /** When the links shown were written, 0 while there are none. */
  private long linksWritten;

  private boolean over;

  /**
   * Begins with the whole run so far.
   *
   * @param rounds how many there will be, or 0 when nobody knows
   */
  Updates(Path directory, int rounds) {
    this.directory = directory;
    this.rounds = rounds;
    this.tail = new MetricsTail(new RunDirectory(directory).metricsFile());
  }

  /** Whether the last event has been given. */
  boolean isOver() {
    return over;
  }

  /** The next event, if something has changed. */
  Optional<Map<String, @Nullable Object>> next(@Nullable RunProgress progress) throws IOException {
    // The summary is written last: once it is there, the metrics are complete.
    String outcome = SavedRun.outcomeOf(directory);
    boolean grown = tail.read();
    over = !grown && !outcome.equals(SavedRun.RUNNING);
    if (!grown && !over && !first && progress == shown) {
      return Optional.empty();
    }
    Map<String, @Nullable Object> event = new LinkedHashMap<>();
    event.put("anew", first);
    event.put("outcome", outcome);
    event.put("over", over);
    event.put("done", over && outcome.equals("done") ? 1 : done(progress));
    event.put("tiles", tiles(outcome, progress));
    event.put("points", tail.changedPoints());
    event.put("nodes", tail.changedNodes());
    if (haveLinksChanged()) {
      PageData.linkTraffic(SavedRun.readWithoutMetrics(directory))
          .ifPresent(bytes -> event.put("links", bytes));
    }
    first = false;
    shown = progress;
    return Optional.of(event);
  }

  private boolean haveLinksChanged() {
    long written = new RunDirectory(directory).linksFile().toFile().lastModified();
    boolean changed = written != linksWritten;
    linksWritten = written;
    return changed;
  }

  private double done(@Nullable RunProgress progress) {
    return progress != null
        ? progress.done()
        : rounds == 0 ? 0 : Math.min(1, (double) tail.rounds() / rounds);
  }

  private List<List<String>> tiles(String outcome, @Nullable RunProgress progress) {
    List<List<String>> tiles = new ArrayList<>();
    tiles.add(List.of(outcome, "outcome"));
    int round = progress == null ? tail.rounds() : progress.round();
    tiles.add(
        List.of(Integer.toString(round), rounds == 0 ? "rounds" : "of " + rounds + " rounds"));
    double accuracy = tail.mean(Metrics.TEST_ACCURACY);
    tiles.add(List.of(Double.isNaN(accuracy) ? "–" : Texts.percent(accuracy), "mean accuracy"));
    double loss = tail.mean(Metrics.TEST_LOSS);
    tiles.add(
        List.of(
            Double.isNaN(loss) ? "–" : String.format(Locale.ROOT, "%.3f", loss), "mean test loss"));
    double sent = tail.mean(Metrics.BYTES_SENT);
    tiles.add(List.of(Double.isNaN(sent) ? "–" : Texts.bytes(sent), "sent per node"));
    if (progress != null) {
      tiles.add(List.of(Texts.duration(progress.time()), "on the run's clock"));
    }
    return tiles;
  }
}
