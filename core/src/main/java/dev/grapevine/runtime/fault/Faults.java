package dev.grapevine.runtime.fault;

import dev.grapevine.runtime.churn.Churn;
import java.util.List;
import java.util.Set;

/**
 * All that goes wrong on purpose.
 *
 * @param injected with nodes
 * @param mended those of them that have ended a life and do not strike again
 * @param messages with what they send
 * @param churn with nodes as a whole: when they are down
 */
public record Faults(
    List<InjectedFault> injected, Set<InjectedFault> mended, MessageFaults messages, Churn churn) {

  /** Nothing goes wrong. */
  public static final Faults NONE = new Faults(List.of(), MessageFaults.NONE);

  /** Nothing has been mended. */
  public Faults(List<InjectedFault> injected, MessageFaults messages, Churn churn) {
    this(injected, Set.of(), messages, churn);
  }

  /** Nobody goes down. */
  public Faults(List<InjectedFault> injected, MessageFaults messages) {
    this(injected, messages, Churn.NONE);
  }

  public Faults {
    injected = List.copyOf(injected);
    mended = Set.copyOf(mended);
  }

  /** Faults of nodes alone. */
  public static Faults of(List<InjectedFault> injected) {
    return new Faults(injected, MessageFaults.NONE);
  }

  /** The same after some of them have been mended. */
  public Faults mending(Set<InjectedFault> struck) {
    return new Faults(injected, struck, messages, churn);
  }
}
