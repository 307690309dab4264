package dev.grapevine.runtime.simulated;

import dev.grapevine.message.Message;
import dev.grapevine.message.Payload;
import dev.grapevine.network.LinkModel;
import dev.grapevine.runtime.Lives;
import dev.grapevine.runtime.Mailbox;
import org.jspecify.annotations.Nullable;

/** What lies between the nodes: messages on their way, the links they share, and who hears them. */
final class Wires {

  private final Simulation simulation;
  private final LinkModel links;
  private final Lives lives;
  private final SimulatedHost[] hosts;

  /** Mailboxes by node, within reach without touching the hosts: most messages wake nobody. */
  private final Mailbox[] mailboxes;

  /** Nodes that hear nothing, because they have ended or are down. */
  private final boolean[] deaf;

  /** Nodes that have come to the end of their protocol. */
  private final boolean[] hasFinished;

  private final AccessLink[] uplinks;
  private final AccessLink[] downlinks;

  /** How many messages have been on a shared link so far. */
  private long flights;

  /** How many messages and goodbyes are on their way. */
  private long flying;

  Wires(
      Simulation simulation,
      LinkModel links,
      Lives lives,
      SimulatedHost[] hosts,
      Mailbox[] mailboxes) {
    this.simulation = simulation;
    this.links = links;
    this.lives = lives;
    this.hosts = hosts;
    this.mailboxes = mailboxes;
    deaf = new boolean[hosts.length];
    hasFinished = new boolean[hosts.length];
    uplinks = new AccessLink[links.limitsBandwidth() ? hosts.length : 0];
    downlinks = new AccessLink[uplinks.length];
    for (int id = 0; id < uplinks.length; id++) {
      uplinks[id] = new AccessLink(true, links.uplink(id, simulation.now()));
      downlinks[id] = new AccessLink(false, links.downlink(id, simulation.now()));
    }
  }

  boolean areEmpty() {
    return flying == 0;
  }

  void setDeaf(int id, boolean isDeaf) {
    deaf[id] = isDeaf;
  }

  void setFinished(int id) {
    hasFinished[id] = true;
  }

  void send(int receiver, Message message, int checksum, long ordinal, int incarnation) {
    long now = simulation.now();
    long latency = links.latency(message.sender(), receiver, now, ordinal);
    if (latency == LinkModel.LOST) {
      return;
    }
    if (deaf[receiver] && hosts[receiver].hasEnded()) {
      noteFinished(message.sender(), message.tag(), receiver);
      return;
    }
    flying++;
    if (uplinks.length == 0) {
      simulation.push(
          now + latency, new Flight(message, receiver, checksum, incarnation, mailboxes[receiver]));
    } else {
      SharedFlight flight =
          new SharedFlight(
              message,
              receiver,
              checksum,
              incarnation,
              latency,
              flights++,
              downlinks[receiver],
              mailboxes[receiver]);
      uplinks[message.sender()].add(simulation, flight);
      simulation.push(now + latency, flight);
    }
  }

  /** Holds a message back; it is on its way all the same. */
  void sendLater(long at, Runnable sending) {
    flying++;
    simulation.push(
        at,
        _ -> {
          flying--;
          sending.run();
          return null;
        });
  }

  /** May overtake what the node has sent before; mailboxes take that all the same. */
  void sayGoodbye(int id) {
    long now = simulation.now();
    for (SimulatedHost peer : hosts) {
      if (peer.id() != id && !peer.hasEnded()) {
        long latency = Math.max(0, links.latency(id, peer.id(), now, Long.MAX_VALUE));
        flying++;
        simulation.push(
            now + latency,
            _ -> {
              flying--;
              return peer.hearGoodbye(id) ? peer : null;
            });
      }
    }
  }

  /** Lets a message arrive; returns the receiver if it can go on because of it. */
  @Nullable SimulatedHost deliver(
      int sender,
      int receiver,
      int tag,
      int channel,
      int round,
      Payload payload,
      int checksum,
      int incarnation) {
    flying--;
    TraceHash trace = simulation.trace();
    trace.add(simulation.now());
    trace.add((long) sender << 32 | receiver);
    trace.add((long) round << 40 | (long) tag << 32 | (checksum & 0xFFFFFFFFL));
    if (lives.isUsed() && isOfAnotherLife(sender, receiver, incarnation)) {
      lives.lost(sender);
      return null;
    }
    if (deaf[receiver]) {
      noteFinished(sender, tag, receiver);
      return null;
    }
    if (!mailboxes[receiver].put(sender, tag, channel, round, payload)) {
      return null;
    }
    SimulatedHost host = hosts[receiver];
    return host.isWokenBy(tag) ? host : null;
  }

  private boolean isOfAnotherLife(int sender, int receiver, int incarnation) {
    return hosts[receiver].isDown() || lives.incarnation(sender, receiver) != incarnation;
  }

  /** Notes that a message went to a node that has finished, whose answer may be waited for. */
  private void noteFinished(int sender, int tag, int receiver) {
    if (tag != Message.EXCHANGE && hasFinished[receiver]) {
      mailboxes[sender].finished(receiver);
    }
  }

  /** How long until the next message is through a node's uplink; 0 if there is none on it. */
  long sendingFor(int id) {
    return uplinks.length == 0 ? 0 : uplinks[id].untilDeparture(simulation.now());
  }

  /** The queue is a new one, in which nothing is on its way. */
  void beginAnew() {
    flights = 0;
    setCapacities();
  }

  /** Puts the next change of the links' capacities into the queue. */
  void scheduleChange() {
    long next = links.nextChange(simulation.now());
    if (next != Long.MAX_VALUE && uplinks.length > 0) {
      simulation.push(
          next,
          _ -> {
            setCapacities();
            scheduleChange();
            return null;
          });
    }
  }

  private void setCapacities() {
    long now = simulation.now();
    for (int id = 0; id < uplinks.length; id++) {
      uplinks[id].setCapacity(simulation, links.uplink(id, now));
      downlinks[id].setCapacity(simulation, links.downlink(id, now));
    }
  }
}
