package dev.grapevine.app.cluster;

/** The workers of a run, by whomever they were started. */
interface Workers extends AutoCloseable {

  /** Waits for all to end, and ends those that do not. */
  void end();

  /** Whatever happened, nobody is left. */
  @Override
  void close();
}
