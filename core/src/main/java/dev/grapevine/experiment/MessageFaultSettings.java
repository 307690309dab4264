package dev.grapevine.experiment;

import dev.grapevine.runtime.fault.MessageFaults;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.SettingException;
import dev.grapevine.topology.NodeSet;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;

/** What the table {@code [faults]} makes go wrong with messages on their way. */
public record MessageFaultSettings(
    @Default("0") @Doc("share of messages that are lost, from 0 to 1") double loss,
    @Default("0") @Doc("share of messages that arrive twice, from 0 to 1") double duplicates,
    @Default("0") @Doc("share of messages that are held back, so that later ones overtake them")
        double heldBack,
    @Default("1 s") @Doc("for how long they are held back at most") Duration heldFor,
    @Default("[]")
        @Doc(
            "when the network falls apart, such as {from = \"10 s\", to = \"20 s\", nodes ="
                + " \"0-7\"}: these nodes and the others hear nothing of each other")
        List<Partition> partitions) {

  /** A while in which some nodes are cut off from the others. */
  public record Partition(
      @Doc("since the run began") Duration from,
      @Doc("since the run began") Duration to,
      @Doc("the nodes of one side, as in \"0-3,7\"") String nodes) {

    public Partition {
      SettingException.require(
          !from.isNegative() && to.compareTo(from) > 0,
          "to",
          "a partition must end after it begins: from=%s, to=%s".formatted(from, to));
    }
  }

  public MessageFaultSettings {
    requireShare(loss, "loss");
    requireShare(duplicates, "duplicates");
    requireShare(heldBack, "held-back");
    SettingException.require(
        !heldFor.isNegative(), "held-for", "held-for must not be negative: held-for=" + heldFor);
    partitions = List.copyOf(partitions);
  }

  private static void requireShare(double share, String name) {
    SettingException.require(
        share >= 0 && share <= 1,
        name,
        "%s must be from 0 to 1: %s=%s".formatted(name, name, share));
  }

  /**
   * The faults of a run of so many nodes.
   *
   * @throws IllegalArgumentException when a partition names nodes that there are not
   */
  MessageFaults of(int nodes) {
    return new MessageFaults(
        loss,
        duplicates,
        heldBack,
        heldFor,
        partitions.stream()
            .map(each ->
                new MessageFaults.Partition(each.from(), each.to(), members(each.nodes(), nodes)))
            .toList());
  }

  private static BitSet members(String text, int nodes) {
    NodeSet set = NodeSet.parse(text, nodes);
    BitSet members = new BitSet(nodes);
    for (int node = 0; node < nodes; node++) {
      members.set(node, set.contains(node));
    }
    return members;
  }
}
