package dev.grapevine.results;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Tells a run that still goes from one whose process was killed. */
public final class SignsOfLife {

  /** The process may be on another machine; then only its writing shows that it is there. */
  private static final Duration RECENT = Duration.ofMinutes(1);

  /** Systems give the start of a process only roughly. */
  private static final Duration SAME = Duration.ofSeconds(2);

  private SignsOfLife() {}

  /** Whether a run without a summary may still get one. */
  public static boolean of(RunDirectory run, Optional<JsonNode> provenance) {
    return provenance.filter(SignsOfLife::isProcessThere).isPresent()
        || isWritten(run.metricsFile())
        || isWritten(run.experimentFile());
  }

  /** Whether another process of this machine that wrote the provenance is still there. */
  public static boolean isOtherProcessThere(Optional<JsonNode> provenance) {
    long self = ProcessHandle.current().pid();
    return provenance
        .filter(json -> json.path("process_id").asLong(-1) != self)
        .filter(SignsOfLife::isProcessThere)
        .isPresent();
  }

  private static boolean isProcessThere(JsonNode provenance) {
    // A number means nothing on another machine; records of older versions do not name theirs.
    if (!provenance.path("host").asString(HostName.here()).equals(HostName.here())) {
      return false;
    }
    try {
      Instant started = Instant.parse(provenance.path("process_started").asString(""));
      return ProcessHandle.of(provenance.path("process_id").asLong(-1))
          .filter(ProcessHandle::isAlive)
          .flatMap(process -> process.info().startInstant())
          .filter(instant -> Duration.between(started, instant).abs().compareTo(SAME) <= 0)
          .isPresent();
    } catch (DateTimeParseException notRecorded) {
      return false;
    }
  }

  private static boolean isWritten(Path file) {
    try {
      Instant written = Files.getLastModifiedTime(file).toInstant();
      return Duration.between(written, Instant.now()).compareTo(RECENT) < 0;
    } catch (IOException notThere) {
      return false;
    }
  }
}
