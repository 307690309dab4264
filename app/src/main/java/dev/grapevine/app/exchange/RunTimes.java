package dev.grapevine.app.exchange;

import dev.grapevine.results.SavedRun;
import java.time.DateTimeException;
import java.time.Instant;

/** When a run was. */
final class RunTimes {

  private RunTimes() {}

  /** When it began, or 1970 where that was not recorded. */
  static Instant start(SavedRun run) {
    try {
      return run.provenance()
          .map(json -> Instant.parse(json.path("started").asString("")))
          .orElse(Instant.EPOCH);
    } catch (DateTimeException unknown) {
      return Instant.EPOCH;
    }
  }

  /** When it ended, as far as it is known. */
  static Instant end(SavedRun run) {
    double seconds = run.summary().map(json -> json.path("wall_seconds").asDouble(0)).orElse(0.0);
    return start(run).plusMillis((long) (1e3 * seconds));
  }
}
