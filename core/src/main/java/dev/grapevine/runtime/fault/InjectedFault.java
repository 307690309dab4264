package dev.grapevine.runtime.fault;

import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.SettingException;
import java.time.Duration;

/**
 * A fault on purpose.
 *
 * @param fault what goes wrong
 * @param node with which node
 * @param fromRound the round in which it begins, counted in trainings of the node
 * @param delay how much longer each training takes, for {@link Fault#IS_SLOW}
 */
public record InjectedFault(
    @Doc("what goes wrong") Fault fault,
    @Doc("the node it happens to") int node,
    @Doc("the round in which it begins") @Default("0") int fromRound,
    @Doc("how much longer each training takes, for is-slow") @Default("1 s") Duration delay) {

  public InjectedFault {
    SettingException.require(
        fromRound >= 0, "from-round", "from-round must not be negative: from-round=" + fromRound);
    SettingException.require(
        !delay.isNegative(), "delay", "delay must not be negative: delay=" + delay);
  }

  public InjectedFault(Fault fault, int node, int fromRound) {
    this(fault, node, fromRound, Duration.ofSeconds(1));
  }
}
