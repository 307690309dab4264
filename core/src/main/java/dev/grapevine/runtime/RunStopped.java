package dev.grapevine.runtime;

/** The run ends early while a node is inside a method that cannot throw InterruptedException. */
public final class RunStopped extends RuntimeException {

  public RunStopped() {
    super("the run was stopped", null, false, false);
  }
}
