package dev.grapevine.app.cluster;

import java.util.List;

/** The workers of a run, by whomever they were started. */
interface Workers extends AutoCloseable {

  /**
   * Ends what is left of a worker and starts it again.
   *
   * @param more what it is told besides
   * @return false if whoever started it does not do that
   */
  default boolean startAgain(int rank, List<String> more) {
    return false;
  }

  /** Waits for all to end, and ends those that do not. */
  void end();

  /** Whatever happened, nobody is left. */
  @Override
  void close();
}
