package dev.grapevine.launch;

import dev.grapevine.results.RunDirectory;

/** Hears how a run gets on; called from several threads, often, and must return at once. */
@FunctionalInterface
public interface RunListener {

  void progress(RunProgress progress);

  /** Called once, when everything is put together and the first round is about to begin. */
  default void begun(RunDirectory directory) {}
}
