package dev.grapevine.runtime.fault;

import java.util.List;

/**
 * All that goes wrong on purpose.
 *
 * @param injected with nodes
 * @param messages with what they send
 */
public record Faults(List<InjectedFault> injected, MessageFaults messages) {

  /** Nothing goes wrong. */
  public static final Faults NONE = new Faults(List.of(), MessageFaults.NONE);

  public Faults {
    injected = List.copyOf(injected);
  }

  /** Faults of nodes alone. */
  public static Faults of(List<InjectedFault> injected) {
    return new Faults(injected, MessageFaults.NONE);
  }
}
