package dev.grapevine.app.run;

import dev.grapevine.app.console.Texts;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.launch.Forecast;
import dev.grapevine.launch.RunProgress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The progress line: round, accuracy, bytes, time left; as much of it as there is room for. */
public final class RunProgressText {

  private static final int WIDE = 100;
  private static final int LONGEST_BAR = 60;

  private final @Nullable Experiment experiment;
  private @Nullable TimeLeft timeLeft;
  private @Nullable Forecast forecast;

  public RunProgressText() {
    this(null);
  }

  /**
   * @param experiment what runs, by which it is known when nodes evaluate
   */
  public RunProgressText(@Nullable Experiment experiment) {
    this.experiment = experiment;
  }

  /** What was expected before the run began. */
  public synchronized void expected(Forecast expected) {
    forecast = expected;
  }

  /** Takes notice of progress; to be called whether or not anything is shown. */
  public synchronized void at(RunProgress progress) {
    timeLeft(progress).at(progress.done(), System.nanoTime());
  }

  /** All there is to say. */
  public String of(RunProgress progress) {
    return of(progress, Integer.MAX_VALUE);
  }

  /** As much as fits into so many columns. */
  public synchronized String of(RunProgress progress, int columns) {
    at(progress);
    String round = "round %d/%d".formatted(progress.round(), progress.rounds());
    Optional<Duration> left = timeLeft(progress).left(System.nanoTime());
    String time = left.map(known -> "  " + Texts.duration(known) + " left").orElse("");
    String diverged = progress.diverged() ? "  diverged" : "";
    String sent = "  sent " + Texts.bytes(progress.bytesSent());
    boolean evaluated = !Double.isNaN(progress.accuracy());
    String percent = (evaluated ? "  " + Texts.percent(progress.accuracy()) : "") + diverged;
    String accuracy =
        (evaluated ? "  accuracy " + Texts.percent(progress.accuracy()) : "") + diverged;
    String all = round + accuracy + sent + time;
    if (columns >= WIDE && columns < Integer.MAX_VALUE) {
      return bar(progress.done(), Math.min(LONGEST_BAR, columns - all.length() - 4)) + all;
    }
    for (String text : List.of(all, round + accuracy + time, round + percent + time)) {
      if (text.length() <= columns) {
        return text;
      }
    }
    return round + time;
  }

  private static String bar(double done, int length) {
    if (length < 10) {
      return "";
    }
    int full = (int) Math.round(done * length);
    return "[" + "#".repeat(full) + "-".repeat(length - full) + "]  ";
  }

  private TimeLeft timeLeft(RunProgress progress) {
    TimeLeft known = timeLeft;
    if (known == null) {
      known =
          new TimeLeft(
              experiment == null ? null : experiment.evaluation(),
              progress.rounds(),
              System.nanoTime());
      if (forecast != null) {
        known.expected(forecast);
      }
      timeLeft = known;
    }
    return known;
  }
}
