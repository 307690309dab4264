package dev.grapevine.launch;

import dev.grapevine.results.RunDirectory;

/** Hears how a run gets on; called from several threads, often, and must return at once. */
@FunctionalInterface
public interface ProgressListener {

  void progress(RunProgress progress);

  /** Something that the user should know before the run begins. */
  default void note(String text) {}

  /** Something went wrong that the run gets over. */
  default void warning(String text) {
    System.getLogger(ProgressListener.class.getName()).log(System.Logger.Level.WARNING, text);
  }

  /** Called once, when everything is put together and the first round is about to begin. */
  default void begun(RunDirectory directory) {}

  /** Called once after that, when a forecast was asked for and could be made. */
  default void expected(Forecast forecast) {}

  /** A worker of a run in many processes is there; so many are still to come. */
  default void joined(String worker, int missing) {}
}
