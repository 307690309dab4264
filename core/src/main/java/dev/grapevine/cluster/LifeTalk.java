package dev.grapevine.cluster;

/** What workers and the coordinator say to each other of nodes that go down and come back. */
sealed interface LifeTalk {

  /**
   * A life is over: told by the node's worker, passed on to all others.
   *
   * @param from the round of which, and of later ones, the node has said not everything
   * @param due the round in which it is due back, if its plan goes by rounds
   * @param isSure whether it takes part from that very round on
   */
  record Down(int node, int life, int from, int due, boolean isSure) implements LifeTalk {}

  /**
   * Someone begins the round in which a node is due back: told to its worker.
   *
   * @param isFirst whether all nodes are down, and it is the first that would come back
   */
  record Due(int node, int life, boolean isFirst) implements LifeTalk {}

  /**
   * A worker's node is to come back.
   *
   * @param joins whether it takes part; otherwise it only speaks, to ask for a model
   * @param earliest the first round that it may take part in
   * @param isSure whether it takes part from that very round on, as all know
   */
  record Returns(int node, int life, boolean joins, int earliest, boolean isSure)
      implements LifeTalk {}

  /**
   * To all workers: say which round none of your nodes has begun; count on it from then.
   *
   * @param sure the round in which it takes part for certain; negative if that is open
   */
  record AskRound(int node, int life, boolean joins, int sure) implements LifeTalk {}

  /** The answer. */
  record Promised(int node, int life, int round) implements LifeTalk {}

  /**
   * To all workers: this is the first round in which the node takes part.
   *
   * @param savedAfter the latest round after which all have been saved; negative for none
   */
  record Enters(int node, int life, boolean joins, int round, int savedAfter) implements LifeTalk {}

  /** To all workers: all nodes that have not finished are down, and stay so. */
  record NobodyLeft() implements LifeTalk {}
}
