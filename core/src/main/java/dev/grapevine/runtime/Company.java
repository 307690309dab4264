package dev.grapevine.runtime;

import dev.grapevine.network.Inbox;
import dev.grapevine.network.Transport;
import dev.grapevine.runtime.report.AverageCollector;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The other processes of a run, as the runtime in one of them sees them. A process that has nodes
 * is a <i>worker</i>; workers are numbered from 0.
 */
public interface Company {

  /**
   * Where a worker stands, for those who look after all of them.
   *
   * @param sent messages that its nodes have sent, by the worker of their receivers
   * @param settled messages that its nodes have taken, by the worker of their senders
   * @param stuck whether nothing but a message can make one of its nodes go on
   * @param rests whether all of its nodes could be saved as they wait
   * @param waits who waits for whom, in words; empty unless it is stuck
   */
  record Standing(long[] sent, long[] settled, boolean stuck, boolean rests, String waits) {}

  /** What all workers are to do for a cut at which nodes rest. */
  sealed interface CutOrder {

    /** Tell when all nodes rest. */
    record Rest(int number) implements CutOrder {}

    /** Nothing is on its way: save all nodes at the end of the round. */
    record Take(int round) implements CutOrder {}

    /** Let them go on. */
    record GoOn() implements CutOrder {}
  }

  /** How workers take a cut together at which nodes rest. Orders come one after the other. */
  interface Cutting {

    /** Who is told that there is an order; to be set before the run begins. */
    void wakeBy(Runnable wake);

    /** A node waits to be saved. */
    void awaited();

    /** The oldest order that was not carried out; null for none. */
    @Nullable CutOrder next();

    /**
     * Answers {@link CutOrder.Rest}: all nodes rest.
     *
     * @param round the latest at whose end one of them has waited
     */
    void rests(int number, int round, long[] sent, long[] settled);

    /** Answers {@link CutOrder.Take}. */
    void taken();

    /** {@link CutOrder.GoOn} has been carried out. */
    void wentOn();
  }

  /** What this worker keeps so that another, which was lost, can come back alone. */
  interface Comeback {

    /** So many rounds are saved: nobody needs a message of one of them again. */
    void saved(int rounds);

    /**
     * A worker is back, with its nodes as they were after so many rounds: sends again what they
     * have heard since then. Called on a thread of its own.
     *
     * @param connect makes messages to the worker take its new connection from now on
     */
    void back(int worker, int rounds, Runnable connect);
  }

  /** How and why a run ends for all workers. */
  record Verdict(Outcome.Ending ending, String reason) {}

  /** How many workers there are. */
  int workers();

  /** The worker that has a node. */
  int workerOf(int node);

  /** How many workers share this machine's processors. */
  int onThisMachine();

  /** Opens the way to all nodes: within this process in memory, to others over links. */
  Transport open(Inbox inbox);

  /**
   * Waits until all workers are ready.
   *
   * @param standing to be asked for at any time from now on
   * @return when the run's clock stood at 0, as {@link System#nanoTime} counts here
   */
  long begin(Supplier<Standing> standing) throws InterruptedException;

  Cutting cutting();

  /** Whether this worker has come back to a run that goes on. */
  boolean isBack();

  /** Whether messages are to be kept for workers that come back. */
  boolean keepsMessages();

  /** Who keeps them; to be told before the run begins. */
  void keptBy(Comeback comeback);

  /** Not all messages are kept any more, so that no worker can come back alone. */
  void keepsNoMore(String reason);

  /** Takes sums of models, to be added to those of the other workers. */
  AverageCollector.Taker averages();

  /** Ends the run for all; the first reason counts. */
  void end(Verdict verdict);

  /** How the run is to end, as all workers hear it; null while it goes on. */
  @Nullable Verdict verdict();

  /** All nodes of this process have ended; those of others may still need what it has sent. */
  void nodesEnded();

  /** Whether all nodes of all workers have ended. */
  boolean isOver();
}
