package dev.grapevine.app.run;

import dev.grapevine.launch.RunProgress;
import java.time.Duration;

/** The progress line: round, accuracy, bytes, time left. */
public final class RunProgressText {

  private final long start = System.nanoTime();

  public String of(RunProgress progress) {
    StringBuilder text = new StringBuilder("round ");
    text.append(progress.round()).append('/').append(progress.rounds());
    if (!Double.isNaN(progress.accuracy())) {
      text.append("  accuracy ").append(Texts.percent(progress.accuracy()));
    }
    text.append("  sent ").append(Texts.bytes(progress.bytesSent()));
    if (progress.done() > 0) {
      double elapsed = System.nanoTime() - start;
      Duration left = Duration.ofNanos((long) (elapsed / progress.done() - elapsed));
      text.append("  ").append(Texts.duration(left)).append(" left");
    }
    return text.toString();
  }
}
