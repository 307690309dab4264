package dev.grapevine.launch;

import dev.grapevine.state.State;

/** How long a run has gone by the wall clock, what went before a resumption included. */
final class RunClock {

  private final long start = System.nanoTime();
  private long before;

  RunClock(State run) {
    run.value("wall-nanos", this::nanos, saved -> before = saved);
  }

  /** The clock of a run that begins now. */
  static RunClock starting() {
    return new RunClock(State.fresh());
  }

  /** How long it went before it was resumed. */
  long before() {
    return before;
  }

  long nanos() {
    return before + System.nanoTime() - start;
  }
}
