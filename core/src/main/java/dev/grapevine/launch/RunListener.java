package dev.grapevine.launch;

/** Hears how a run gets on; called from several threads, often, and must return at once. */
@FunctionalInterface
public interface RunListener {

  void progress(RunProgress progress);
}
