package dev.grapevine.cluster;

import dev.grapevine.runtime.Company;
import dev.grapevine.runtime.Outcome;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How far a run has come, by which clock, and how it ends. */
final class Course {

  enum Phase {
    JOINING,
    LINKING,
    RUNNING,
    ENDING,
    ENDED
  }

  private Phase phase = Phase.JOINING;
  private long begun = System.nanoTime();
  private long zero = begun;
  private long ending;
  private long wallNanos;
  private Company.@Nullable Verdict verdict;
  private int exitCode = ExitCode.DONE;

  Phase phase() {
    return phase;
  }

  boolean is(Phase asked) {
    return phase == asked;
  }

  /** Whether nothing that happens now can change how it ends, but for who is lost. */
  boolean isEnding() {
    return phase == Phase.ENDING || phase == Phase.ENDED;
  }

  void link() {
    phase = Phase.LINKING;
  }

  /**
   * The run begins now.
   *
   * @param time what the run's clock shows, in ns
   * @return time 0 as {@link System#nanoTime} counts
   */
  long begin(long time) {
    phase = Phase.RUNNING;
    begun = System.nanoTime();
    zero = begun - time;
    return zero;
  }

  /** Time 0 as {@link System#nanoTime} counts. */
  long zero() {
    return zero;
  }

  /** Time on the run's clock, in ns. */
  long time() {
    return System.nanoTime() - zero;
  }

  /** From now on workers only hand in what they have. */
  void beginEnding() {
    wallNanos = phase == Phase.RUNNING ? System.nanoTime() - begun : 0;
    phase = Phase.ENDING;
    ending = System.nanoTime();
  }

  boolean endsForLongerThan(Duration patience, long now) {
    return now - ending > patience.toNanos();
  }

  void end() {
    phase = Phase.ENDED;
  }

  /** How it ends; the last word counts. */
  void judge(Outcome.Ending how, String reason, int code) {
    verdict = new Company.Verdict(how, reason);
    exitCode = code;
  }

  boolean isJudged() {
    return verdict != null;
  }

  Coordinator.Result result(long peakMemory) {
    Company.Verdict last = verdict;
    return new Coordinator.Result(
        last == null ? new Company.Verdict(Outcome.Ending.DONE, "") : last,
        exitCode,
        Duration.ofNanos(wallNanos),
        peakMemory);
  }
}
