package dev.grapevine.cluster;

import dev.grapevine.runtime.Company;
import dev.grapevine.runtime.Outcome;
import dev.grapevine.runtime.fault.InjectedFault;
import java.util.List;

/** What a worker and the coordinator say to each other. */
sealed interface Control {

  /** The version of these messages; raised whenever one changes. */
  int VERSION = 5;

  /**
   * A worker wants to take part.
   *
   * @param protocol the {@link #VERSION} that it speaks
   * @param grapevine its version of Grapevine
   * @param rank which worker it is
   * @param world how many it thinks there are
   * @param nodes the nodes that it has built
   * @param experiment hash of the experiment as it was resolved, and of the files it names
   * @param data hash of the data
   * @param host the name of its machine
   * @param address where other workers reach it
   * @param port where it listens
   * @param path where processes of its machine reach it more cheaply; empty if nowhere
   * @param process the number of its process
   * @param certificate its certificate, empty if it has none
   * @param firstRound the round that its nodes begin with
   */
  record Join(
      int protocol,
      String grapevine,
      int rank,
      int world,
      int[] nodes,
      String experiment,
      String data,
      String host,
      String address,
      int port,
      String path,
      long process,
      byte[] certificate,
      int firstRound)
      implements Control {}

  /** A worker is turned away, for what its user can mend. */
  record Refused(String reason) implements Control {}

  /**
   * All workers are there.
   *
   * @param session a name for this run of all workers, never used again
   * @param workerOf the worker of each node
   * @param entries the workers by rank
   * @param directory where the results of the run go, on the coordinator's machine
   * @param savesModels whether final models are to be handed in
   * @param mended the faults on purpose that have struck and do not strike again
   * @param keepsMessages whether messages are kept for workers that come back and are waited for
   * @param connecting who will connect to the worker that is told, if it comes back to a run that
   *     has begun; empty where all begin
   */
  record Roster(
      String session,
      int[] workerOf,
      List<Entry> entries,
      String directory,
      boolean savesModels,
      List<InjectedFault> mended,
      boolean keepsMessages,
      int[] connecting)
      implements Control {}

  /**
   * A worker in the roster.
   *
   * @param incarnation how often the worker of this rank has been replaced
   * @param path where processes of its machine reach it more cheaply; empty if nowhere
   * @param certificate what it must show; empty if it has none
   */
  record Entry(
      int incarnation, String host, String address, int port, String path, byte[] certificate) {}

  /**
   * The public keys of a worker's nodes, for the masks of this session.
   *
   * @param keys one after the other, by rising node
   * @param signature of the worker's certificate; empty if it has none
   */
  record Keys(byte[] keys, byte[] signature) implements Control {}

  /** Those of all workers, by rank. */
  record AllKeys(List<Keys> workers) implements Control {}

  /**
   * A worker is connected to all others.
   *
   * @param lives of its nodes; empty where nobody comes and goes
   */
  record Ready(List<Company.NodeLife> lives) implements Control {}

  /**
   * The run begins, or goes on.
   *
   * @param zero time 0 as the coordinator's {@link System#nanoTime} counts
   * @param lives of all nodes; empty where nobody comes and goes
   */
  record Start(long zero, List<Company.NodeLife> lives) implements Control {}

  /**
   * A worker lives.
   *
   * @param sentAt when, by its own clock
   */
  record Heartbeat(
      long sentAt, long[] sent, long[] settled, boolean stuck, boolean rests, String waits)
      implements Control {}

  /** The answer, by which a worker sets its clock: its own time, then the coordinator's. */
  record Echo(long sentAt, long heardAt) implements Control {}

  /**
   * What has happened at a worker's nodes.
   *
   * @param until all of it up to this time on the run's clock, in ns, is here or was sent before
   */
  record Events(List<Event> events, long until) implements Control {}

  /** The sum of a worker's models of a round. */
  record Sum(
      int round,
      long now,
      int count,
      boolean finite,
      double[] squares,
      long[] total,
      long[] statistics)
      implements Control {}

  /** A line for the log. */
  record Line(boolean isWarning, String text) implements Control {}

  /** A worker wants the run to end for all. */
  record Finish(Outcome.Ending ending, String reason, int exitCode) implements Control {}

  /** All nodes of a worker have ended. */
  record NodesEnded() implements Control {}

  /** The run ends for all before its time. */
  record Stop(Outcome.Ending ending, String reason, int exitCode) implements Control {}

  /** All nodes of all workers have ended. */
  record Over() implements Control {}

  /** A worker is lost, and the run goes on without its nodes. */
  record Gone(int worker, int incarnation, String reason) implements Control {}

  /**
   * A worker is lost, and is to come back; until then nothing can be said to its nodes.
   *
   * @param othersGoOn whether the others go on meanwhile, and do not wait for it
   */
  record Lost(int worker, boolean othersGoOn, String reason) implements Control {}

  /**
   * A worker is back; all others connect to it.
   *
   * @param rounds after how many rounds its nodes were saved that it comes back with
   */
  record Back(int worker, int rounds, Entry entry) implements Control {}

  /** So many rounds are saved: no worker that comes back needs a message of one of them. */
  record Saved(int rounds) implements Control {}

  /** A worker has not kept all that one who comes back would need. */
  record KeepsNoMore(String reason) implements Control {}

  /** A piece of a file of results. */
  record File(String name, boolean isLast, byte[] bytes) implements Control {}

  /** A worker has handed in everything. */
  record Bye(long peakMemory) implements Control {}

  /** What there is to say to save the run. */
  record Cut(CutTalk talk) implements Control {}

  /** What there is to say of nodes that go down and come back. */
  record Life(LifeTalk talk) implements Control {}

  /** Everything has arrived; the worker may end. */
  record Done() implements Control {}
}
