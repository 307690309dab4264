package dev.grapevine.cluster;

/** What workers and the coordinator say to each other to save a run. */
sealed interface CutTalk {

  /** To all workers: let no node end a later round than the latest, and say which that is. */
  record Hold() implements CutTalk {}

  /** The answer: the latest round that a node of the worker has ended, -1 for none. */
  record Held(int round) implements CutTalk {}

  /** To all workers: save your nodes at the end of this round, too. */
  record SaveAfter(int round) implements CutTalk {}

  /** A worker was asked to end, and wants the run to be saved before it does. */
  record SaveWanted() implements CutTalk {}

  /**
   * A worker's nodes are on disk.
   *
   * @param rounds after how many rounds; 0 for what holds from now on
   * @param time when the last of them was saved, on the run's clock in ns
   * @param part what was written; empty if that failed
   */
  record Part(int rounds, long time, String part) implements CutTalk {}

  /** A node of a worker waits for all nodes to rest, to be saved. */
  record Awaited() implements CutTalk {}

  /** To all workers: say when all your nodes rest. */
  record AskRest(int number) implements CutTalk {}

  /**
   * All nodes of a worker rest.
   *
   * @param number of the question
   * @param round the latest at whose end one of them has waited
   * @param sent messages that its nodes have sent, by the worker of their receivers
   * @param settled messages that its nodes have taken, by the worker of their senders
   */
  record Rests(int number, int round, long[] sent, long[] settled) implements CutTalk {}

  /** To all workers: nothing is on its way any more; save your nodes. */
  record Take(int round) implements CutTalk {}

  /** A worker's nodes have been copied. */
  record Taken() implements CutTalk {}

  /** To all workers: your nodes may go on. */
  record GoOn() implements CutTalk {}
}
