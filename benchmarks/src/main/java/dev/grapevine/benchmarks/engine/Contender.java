package dev.grapevine.benchmarks.engine;

/** One way to run a model on one thread, measured slice by slice. */
interface Contender {

  /** What is measured. */
  enum Work {
    /** Forward, loss, backward: steps per second. */
    TRAIN,
    /** Forward in evaluation mode: batches per second. */
    FORWARD
  }

  /** Steps per second of processor time over a slice of so many seconds. */
  double measure(Case subject, Work work, double seconds);
}
