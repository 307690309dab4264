package dev.grapevine.app.cluster;

import dev.grapevine.cluster.Coordinator;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** Workers that a launcher has started as processes of its own. None outlives it. */
final class Crew implements Workers {

  /** How long a worker may take to end by itself, and then on request. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** How long it may take to clear up behind them. */
  private static final Duration SWEEPING = Duration.ofSeconds(1);

  /** The process of each worker, by rank. */
  private final Map<Integer, WorkerProcess> workers = new ConcurrentSkipListMap<>();

  /** Done once the coordinator knows that the process of a worker has ended. */
  private final Map<Integer, CompletableFuture<Void>> told = new ConcurrentHashMap<>();

  /** Done once what each process may have left behind is removed. */
  private final List<CompletableFuture<Void>> swept = new CopyOnWriteArrayList<>();

  private final Coordinator coordinator;
  private final Starter starter;
  private final Thread lastResort = new Thread(this::kill, "crew");
  private volatile boolean closed;

  /** Starts the process of a worker. */
  @FunctionalInterface
  interface Starter {

    /**
     * @param more what it is told besides
     */
    WorkerProcess start(int rank, List<String> more);
  }

  Crew(List<WorkerProcess> processes, Coordinator coordinator, Starter starter) {
    this.coordinator = coordinator;
    this.starter = starter;
    // A launcher that is asked twice to end does so at once, and takes its workers along.
    Runtime.getRuntime().addShutdownHook(lastResort);
    processes.forEach(this::add);
  }

  private void add(WorkerProcess worker) {
    workers.put(worker.rank(), worker);
    told.put(
        worker.rank(),
        worker
            .onExit()
            .thenAccept(ended ->
                coordinator.processEnded(
                    worker.rank(), worker.host(), worker.exitCode(), worker.lastWords())));
    swept.add(worker.onExit().thenRun(worker::sweep));
    if (closed) {
      worker.kill();
    }
  }

  @Override
  public boolean startAgain(int rank, List<String> more) {
    WorkerProcess before = workers.get(rank);
    CompletableFuture<Void> known = told.get(rank);
    if (before != null && known != null) {
      // One that was only silent must not write what the new one writes.
      before.kill();
      known.join();
    }
    add(starter.start(rank, more));
    return true;
  }

  /** Waits for all to end, and ends those that do not. */
  @Override
  public void end() {
    List<Thread> ending =
        workers.values().stream()
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
    closed = true;
    workers.values().forEach(WorkerProcess::kill);
  }

  /** Whatever happened, nobody is left. */
  @Override
  public void close() {
    kill();
    // Killed processes end at once; one that does not has nothing left that could be removed yet.
    CompletableFuture.allOf(swept.toArray(CompletableFuture[]::new))
        .completeOnTimeout(null, SWEEPING.toMillis(), TimeUnit.MILLISECONDS)
        .join();
    try {
      Runtime.getRuntime().removeShutdownHook(lastResort);
    } catch (IllegalStateException shuttingDown) {
      // The hook does the same once more.
      return;
    }
  }
}
