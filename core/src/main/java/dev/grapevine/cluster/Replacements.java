package dev.grapevine.cluster;

/** Starts workers again that were lost while all others go on. */
@FunctionalInterface
public interface Replacements {

  /** Nobody is replaced. */
  Replacements NONE = (rank, rounds) -> false;

  /**
   * Starts a worker with its nodes as they were saved; called by the coordinator's thread. The
   * process before has ended when this returns, and the coordinator has been told.
   *
   * @param rounds after how many rounds; where the run began if nothing was saved since
   * @return false if it must not, or cannot, be started again
   */
  boolean start(int rank, int rounds);
}
