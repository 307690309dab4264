package dev.grapevine.learning;

import dev.grapevine.engine.Batch;
import dev.grapevine.engine.Model;
import dev.grapevine.engine.Workspace;
import java.util.concurrent.CancellationException;

/**
 * The memory that computing with one model takes, one set for each compute thread, made when the
 * thread first needs it. All learners of a process share it, so a node costs little more than its
 * parameters.
 */
public final class Workshop {

  private final Model model;
  private final int capacity;
  private final ThreadLocal<Bench> benches = ThreadLocal.withInitial(this::bench);

  /**
   * @param capacity samples in the largest batch that will be trained or evaluated
   */
  public Workshop(Model model, int capacity) {
    this.model = model;
    this.capacity = capacity;
  }

  public Model model() {
    return model;
  }

  /** Samples in the largest batch. */
  public int capacity() {
    return capacity;
  }

  /** The calling thread's own memory; good until the caller returns. */
  Bench own() {
    return benches.get();
  }

  /** Lets long work end early: a compute thread is interrupted when the run stops. */
  static void checkStopped() {
    if (Thread.currentThread().isInterrupted()) {
      throw new CancellationException("the run was stopped");
    }
  }

  private Bench bench() {
    return new Bench(
        model.workspace(capacity),
        new Batch(capacity, model.inputSize(), model.targetSize()),
        new float[model.parameterCount()]);
  }

  /** One thread's memory. */
  record Bench(Workspace workspace, Batch batch, float[] gradient) {}
}
