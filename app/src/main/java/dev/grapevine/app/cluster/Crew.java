package dev.grapevine.app.cluster;

import dev.grapevine.cluster.Coordinator;
import java.time.Duration;
import java.util.List;

/** Workers that a launcher has started as processes of its own. None outlives it. */
final class Crew implements Workers {

  /** How long a worker may take to end by itself, and then on request. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final List<WorkerProcess> workers;
  private final Thread lastResort = new Thread(this::kill, "crew");

  Crew(List<WorkerProcess> workers, Coordinator coordinator) {
    this.workers = List.copyOf(workers);
    // A launcher that is asked twice to end does so at once, and takes its workers along.
    Runtime.getRuntime().addShutdownHook(lastResort);
    for (WorkerProcess worker : workers) {
      worker
          .onExit()
          .thenAccept(ended ->
              coordinator.processEnded(
                  worker.rank(), worker.host(), worker.exitCode(), worker.lastWords()));
    }
  }

  /** Waits for all to end, and ends those that do not. */
  @Override
  public void end() {
    List<Thread> ending =
        workers.stream()
            .map(worker -> Thread.ofVirtual().start(() -> worker.end(PATIENCE)))
            .toList();
    for (Thread each : ending) {
      try {
        each.join();
      } catch (InterruptedException e) {
        kill();
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private void kill() {
    workers.forEach(WorkerProcess::kill);
  }

  /** Whatever happened, nobody is left. */
  @Override
  public void close() {
    kill();
    try {
      Runtime.getRuntime().removeShutdownHook(lastResort);
    } catch (IllegalStateException shuttingDown) {
      // The hook does the same once more.
      return;
    }
  }
}
