package dev.grapevine.app.sweep;

import dev.grapevine.app.console.Texts;
import dev.grapevine.app.run.ProgressLine;
import dev.grapevine.launch.ProgressListener;
import dev.grapevine.launch.RunProgress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * One line about all runs of a sweep: how many are done, which are going, how long it will take.
 */
final class SweepProgress {

  private final ProgressLine line;
  private final int before;
  private final int all;
  private final long start = System.nanoTime();
  private final Map<PointDirectory, RunProgress> going = new LinkedHashMap<>();
  private int finished;

  /**
   * Shows progress on a line.
   *
   * @param before how many points were done already
   * @param all how many there are
   */
  SweepProgress(ProgressLine line, int before, int all) {
    this.line = line;
    this.before = before;
    this.all = all;
  }

  ProgressListener of(PointDirectory point) {
    return progress -> line.show(text(point, progress));
  }

  private synchronized String text(PointDirectory point, RunProgress progress) {
    if (progress.done() >= 1) {
      finished += going.remove(point) == null ? 0 : 1;
    } else {
      going.put(point, progress);
    }
    StringBuilder text = new StringBuilder();
    text.append(before + finished).append('/').append(all).append(" runs done");
    text.append(
        going.entrySet().stream()
            .map(entry -> "; " + entry.getKey().label() + " " + text(entry.getValue()))
            .collect(Collectors.joining()));
    double share = finished + going.values().stream().mapToDouble(RunProgress::done).sum();
    if (share > 0) {
      double elapsed = System.nanoTime() - start;
      double left = elapsed / share * (all - before) - elapsed;
      text.append("; ").append(Texts.duration(Duration.ofNanos((long) left))).append(" left");
    }
    return text.toString();
  }

  private static String text(RunProgress progress) {
    String accuracy =
        Double.isNaN(progress.accuracy()) ? "" : ", " + Texts.percent(progress.accuracy());
    return "(round %d/%d%s)".formatted(progress.round(), progress.rounds(), accuracy);
  }
}
