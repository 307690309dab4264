package dev.grapevine.runtime;

import dev.grapevine.network.Inbox;
import dev.grapevine.network.Transport;
import dev.grapevine.runtime.report.AverageCollector;
import java.util.List;
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

  /**
   * Where a node is in its lives.
   *
   * @param number how often it has come back
   * @param due the round in which it is due back, if it is down and its plan goes by rounds
   * @param isSure whether it takes part from that very round on, so that all can count on it
   */
  record NodeLife(int node, int number, boolean isDown, int due, boolean isSure) {

    /** It is not due back by rounds. */
    public static final int NO_ROUND = -1;
  }

  /** What a worker is to do, one thing after the other. */
  sealed interface Order {}

  /**
   * Something about a node that comes back, of this worker or another.
   *
   * <p>Whoever has nodes promises a round that none of them has begun, and counts on the node from
   * then on; the node enters at the latest of these rounds, and none before is waited for. So
   * nobody has to stop for it.
   */
  sealed interface LifeOrder extends Order {

    int node();

    /** The number of the life that begins. */
    int life();

    /**
     * A node is up: promise a round.
     *
     * @param joins whether it takes part; otherwise it only speaks, to ask for a model
     * @param sure the round in which it takes part for certain, so that no other is to be promised;
     *     {@link NodeLife#NO_ROUND} if that is open
     */
    record Promise(int node, int life, boolean joins, int sure) implements LifeOrder {}

    /**
     * All have promised, and this is the first round in which the node takes part.
     *
     * @param savedAfter the latest round after which all have been saved; negative for none
     */
    record Enter(int node, int life, boolean joins, int round, int savedAfter)
        implements LifeOrder {}
  }

  /** How workers hear of nodes that go down and come back. */
  interface Comings {

    /** Hears at once what cannot wait for its turn. */
    interface Listener {

      /**
       * A life of a node of another worker is over.
       *
       * @param from the round of which, and of later ones, it has said not everything
       */
      void wentDown(NodeLife life, int from);

      /**
       * A node of this worker is due back by its plan, since someone begins that round.
       *
       * @param isFirst whether all nodes are down, and it is the first that would come back
       */
      void isDue(int node, int life, boolean isFirst);

      /** All nodes that have not finished are down: nobody needs to come back any more. */
      void nobodyIsLeft();
    }

    /** Who hears; to be told before the run begins. */
    void heardBy(Listener listener);

    /** All nodes when the run begins, or goes on with this worker. */
    List<NodeLife> atStart();

    /** A life of a node of this worker is over. */
    void wentDown(NodeLife life, int from);

    /** A node of another worker is due back, since someone here begins that round. */
    void isDue(int node, int life);

    /**
     * A node of this worker is to come back; {@link LifeOrder.Enter} answers.
     *
     * @param joins whether it takes part, or only speaks
     * @param earliest the first round that it may take part in
     * @param isSure whether it takes part from that very round on, as all know
     */
    void comesBack(int node, int life, boolean joins, int earliest, boolean isSure);

    /** Answers {@link LifeOrder.Promise}. */
    void promise(LifeOrder.Promise asked, int round);

    /** The present {@link LifeOrder} has been carried out. */
    void done();

    /** Whether there is a connection to a worker. */
    boolean isConnected(int worker);
  }

  /** What all workers are to do for a cut at which nodes rest. */
  sealed interface CutOrder extends Order {

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
    @Nullable Order next();

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

  /** What this worker does when another comes back that was lost. */
  interface Comeback {

    /** So many rounds are saved: nobody needs a message of one of them again. */
    void saved(int rounds);

    /**
     * A worker is back, with its nodes as they were after so many rounds: where it is waited for,
     * sends again what they have heard since then. Called on a thread of its own.
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
   * @param own the lives of this worker's nodes; empty where nobody comes and goes
   * @return when the run's clock stood at 0, as {@link System#nanoTime} counts here
   */
  long begin(Supplier<Standing> standing, List<NodeLife> own) throws InterruptedException;

  Cutting cutting();

  Comings comings();

  /** Whether this worker has come back to a run that goes on. */
  boolean isBack();

  /** Whether messages are to be kept for workers that come back, since the others wait for them. */
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
