package dev.grapevine.app.identity;

import dev.grapevine.UserException;
import java.time.Duration;
import picocli.CommandLine.Option;

/** How long a certificate holds. */
final class Validity {

  private static final int MOST = 36_500;

  @Option(
      names = "--days",
      paramLabel = "N",
      defaultValue = "365",
      description = "How long the certificate holds (default 365).")
  private int days;

  Duration duration() {
    if (days < 1 || days > MOST) {
      throw new UserException("--days must be from 1 to %d: days=%d".formatted(MOST, days));
    }
    return Duration.ofDays(days);
  }
}
