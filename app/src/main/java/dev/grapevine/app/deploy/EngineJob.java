package dev.grapevine.app.deploy;

import dev.grapevine.UserException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * A run that somebody else's engine is to start.
 *
 * @param name what the job is called
 * @param experiment the experiment file
 * @param workers how many processes
 * @param threads how many processors each gets
 * @param memory how much memory each gets, in MiB; 0 leaves it to the engine
 * @param options what follows the experiment file in the command of a worker
 */
public record EngineJob(
    String name, Path experiment, int workers, int threads, long memory, List<String> options) {

  /** Names of jobs and services are labels of the domain name system. */
  private static final int LONGEST_LABEL = 50;

  public EngineJob {
    if (workers < 1) {
      throw new UserException("a job needs at least one worker: workers=" + workers);
    }
    if (threads < 1) {
      throw new UserException("a worker needs at least one processor: threads=" + threads);
    }
    if (memory < 0) {
      throw new UserException("a worker's memory cannot be negative: memory=" + memory);
    }
    options = List.copyOf(options);
  }

  /** The name with what engines accept in names. */
  String label() {
    String plain =
        name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-+|-+$", "");
    String cut = plain.substring(0, Math.min(plain.length(), LONGEST_LABEL));
    return cut.isEmpty() ? "grapevine" : "grapevine-" + cut.replaceAll("-+$", "");
  }
}
