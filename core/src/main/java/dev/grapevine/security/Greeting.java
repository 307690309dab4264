package dev.grapevine.security;

/**
 * What the one who opens a connection says first.
 *
 * @param purpose what the connection is for
 * @param from the number of the node or worker that opens it, or {@link #COORDINATOR}
 * @param to the number of whom it wants to talk to
 */
public record Greeting(Purpose purpose, int from, int to) {

  /** The number of the coordinator, which is no worker. */
  public static final int COORDINATOR = -1;

  /** What a connection is for; a proof for one is none for another. */
  public enum Purpose {
    /** Messages between two nodes. */
    NODES,
    /** Messages between the nodes of two workers. */
    WORKERS,
    /** Joining, signs of life, results. */
    CONTROL;

    String party(int number) {
      return this == NODES ? "node " + number : Greeting.party(number);
    }
  }

  static String party(int number) {
    return number == COORDINATOR ? "launcher" : "worker " + number;
  }

  /** Who opens it, in words. */
  public String opener() {
    return purpose.party(from);
  }

  /** Whom it is for, in words. */
  public String acceptor() {
    return purpose.party(to);
  }
}
