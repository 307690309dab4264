package dev.grapevine.runtime.fault;

import dev.grapevine.runtime.churn.Churn;
import java.util.List;

/**
 * All that goes wrong on purpose.
 *
 * @param injected with nodes
 * @param messages with what they send
 * @param churn with nodes as a whole: when they are down
 */
public record Faults(List<InjectedFault> injected, MessageFaults messages, Churn churn) {

  /** Nothing goes wrong. */
  public static final Faults NONE = new Faults(List.of(), MessageFaults.NONE);

  /** Nobody goes down. */
  public Faults(List<InjectedFault> injected, MessageFaults messages) {
    this(injected, messages, Churn.NONE);
  }

  public Faults {
    injected = List.copyOf(injected);
  }

  /** Faults of nodes alone. */
  public static Faults of(List<InjectedFault> injected) {
    return new Faults(injected, MessageFaults.NONE);
  }
}
