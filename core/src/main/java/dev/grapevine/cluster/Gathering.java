package dev.grapevine.cluster;

import dev.grapevine.runtime.Company;
import dev.grapevine.runtime.fault.InjectedFault;
import dev.grapevine.runtime.report.ModelSum;
import java.util.List;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What a coordinator gathers from all workers. Everything is told on one thread, one thing at a
 * time.
 */
public interface Gathering {

  /** A worker is there; {@code missing} are still to come. */
  void joined(String worker, int missing);

  /** The run begins. */
  void begun(List<WorkerPlace> workers);

  /** Something has happened at a node; in the order of time over all workers. */
  void event(Event event);

  /** The sum of models of some of a worker's nodes, all of which have passed its round. */
  void sum(int worker, ModelSum sum, long now);

  /** A line for the log. */
  void line(String worker, boolean isWarning, String text);

  /**
   * A worker has saved its nodes.
   *
   * @param rounds after how many rounds; 0 for what holds from now on
   * @param part what it has written; empty if that failed
   */
  void part(int worker, int rounds, String part);

  /** A piece of a file that a worker hands in. */
  void file(int worker, String name, boolean isLast, byte[] bytes);

  /**
   * A worker is lost, and the run goes on without it.
   *
   * @param when the time on the run's clock, in ns
   */
  void lost(int worker, String reason, long when);

  /** A worker is lost, or was before, and the run ends because of that. */
  void endsFor(int worker, String reason);

  /**
   * A worker is lost and is to come back: forgets what it has saved of cuts that are not complete.
   *
   * @param ready hears, on any thread, after how many rounds the newest complete cut is
   */
  default void comesBack(int worker, IntConsumer ready) {
    ready.accept(newestCut());
  }

  /** A worker is lost and is to come back, and all others go on without it until then. */
  default void goesOnWithout(int worker) {}

  /** A worker that was lost takes part in cuts again. */
  default void isSavedAgain(int worker) {}

  /** After how many rounds the newest complete cut is; where the run began if there is none. */
  default int newestCut() {
    return 0;
  }

  /**
   * The faults on purpose that have ended a life so far, also before the run went back to a
   * checkpoint: they do not strike those who join from now on.
   */
  default List<InjectedFault> struck() {
    return List.of();
  }

  /** Where a worker's nodes are, in words, such as {@code nodes 4-7, in round 12}. */
  String whereabouts(int worker);

  /** Why the run is to end now; null while it goes on. */
  Company.@Nullable Verdict verdict();
}
