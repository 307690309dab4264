package dev.grapevine.runtime.live;

import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.Message;
import dev.grapevine.network.Inbox;
import dev.grapevine.network.Transport;
import dev.grapevine.runtime.Company;
import dev.grapevine.runtime.Hearsay;
import dev.grapevine.runtime.Lives;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The way of a message from one node to another. Every one is counted when it is sent and again
 * when it has been taken or lost: what lies between is on its way.
 */
final class LiveMessages implements Inbox, AutoCloseable {

  private static final System.Logger LOG = System.getLogger(LiveRun.class.getName());

  private final @Nullable LiveHost[] hosts;
  private final Lives lives;
  private final Hearsay hearsay;
  private final EndedNodes ended;
  private final MessageCounts counts;
  private final Runnable settled;
  private final BooleanSupplier isStopping;
  private final @Nullable Company company;
  private final @Nullable KeptMessages kept;
  private final @Nullable NewConnections passages;
  private final ExecutorService heldBack = Executors.newVirtualThreadPerTaskExecutor();
  private final Transport transport;

  /** What was said to nodes of other processes that are down, for when they are back. */
  private final Map<Integer, List<Message>> early = new HashMap<>();

  /**
   * @param settled told of every message that is not on its way any more
   */
  LiveMessages(
      int nodes,
      Lives lives,
      Hearsay hearsay,
      EndedNodes ended,
      MessageCounts counts,
      Runnable settled,
      BooleanSupplier isStopping,
      @Nullable Company company,
      Function<Inbox, Transport> transport) {
    this.hosts = new @Nullable LiveHost[nodes];
    this.lives = lives;
    this.hearsay = hearsay;
    this.ended = ended;
    this.counts = counts;
    this.settled = settled;
    this.isStopping = isStopping;
    this.company = company;
    this.transport = transport.apply(this);
    kept =
        company != null && company.keepsMessages()
            ? new KeptMessages(company, this.transport)
            : null;
    passages =
        company != null && kept == null && lives.isUsed()
            ? new NewConnections(company.workers(), counts)
            : null;
    if (company != null && kept != null) {
      company.keptBy(kept);
    } else if (company != null && passages != null) {
      company.keptBy(passages);
    }
  }

  /** A node of this process takes messages. */
  void add(LiveHost host) {
    hosts[host.id()] = host;
  }

  boolean isHere(int node) {
    return hosts[node] != null;
  }

  Transport transport() {
    return transport;
  }

  /** The host of a node that a message names, who may be wrong about it. */
  private LiveHost host(int id) {
    LiveHost host = id < 0 || id >= hosts.length ? null : hosts[id];
    if (host == null) {
      throw new MalformedPayloadException("node %d is not here".formatted(id));
    }
    return host;
  }

  private int workerOf(int node) {
    return company == null ? 0 : company.workerOf(node);
  }

  void send(int receiver, Message message) throws InterruptedException {
    if (passages == null || isHere(receiver)) {
      counts.sent(workerOf(receiver));
      pass(receiver, stamped(receiver, message));
    } else if (!isKeptOrLost(receiver, message)) {
      passages.pass(
          workerOf(receiver),
          () -> {
            counts.sent(workerOf(receiver));
            pass(receiver, stamped(receiver, message));
          });
    }
  }

  /**
   * Whether a message is for one who is down in another process, which would drop it. What is said
   * in a round in which that one is back for certain waits until it is.
   */
  private boolean isKeptOrLost(int receiver, Message message) {
    if (!lives.isDown(receiver)
        || (message.tag() == Message.EXCHANGE && hearsay.isThereFor(receiver, message.round()))) {
      return false;
    }
    synchronized (early) {
      if (!lives.isDown(receiver)) {
        return false;
      }
      if (message.tag() == Message.EXCHANGE && hearsay.isSureToHear(receiver, message.round())) {
        early.computeIfAbsent(receiver, node -> new ArrayList<>()).add(message);
      } else {
        lives.lost(message.sender());
      }
      return true;
    }
  }

  /** Sends what has waited for a node of another process, or loses it. */
  void isUpOrGone(int node) {
    List<Message> waited;
    synchronized (early) {
      waited = early.remove(node);
    }
    if (waited != null) {
      // Whoever tells must not wait for room there.
      heldBack.execute(() -> {
        try {
          for (Message message : waited) {
            send(node, message);
          }
        } catch (InterruptedException e) {
          // The run is over, and nobody is left to hear it.
          return;
        }
      });
    }
  }

  /** Holds a message back while its sender goes on; it counts as on its way. */
  void sendLater(int receiver, Message message, long delay) {
    // Counted with its own worker, whose counts nobody begins anew, until it is sent.
    int own = workerOf(message.sender());
    counts.sent(own);
    int life = lives.isUsed() ? lives.incarnation(message.sender(), receiver) : 0;
    heldBack.execute(() -> {
      try {
        Thread.sleep(Duration.ofNanos(delay));
        if (lives.isUsed() && life != lives.incarnation(message.sender(), receiver)) {
          lives.lost(message.sender());
        } else {
          send(receiver, message);
        }
      } catch (InterruptedException e) {
        // The run is over, and nobody is left to hear it.
        return;
      } finally {
        counts.unsent(own);
      }
    });
  }

  private Message stamped(int receiver, Message message) {
    return lives.isUsed() ? message.ofLife(lives.incarnation(message.sender(), receiver)) : message;
  }

  private void pass(int receiver, Message message) throws InterruptedException {
    boolean isKept = kept != null && hosts[receiver] == null;
    try {
      if (kept != null && isKept) {
        kept.send(receiver, message);
      } else {
        transport.send(receiver, message);
      }
    } catch (IOException e) {
      counts.unsent(workerOf(receiver));
      if (lives.isUsed()) {
        lives.lost(message.sender());
      }
      LOG.log(
          // One who comes back is told again, or was told to all as gone.
          isKept || lives.isUsed() || isStopping.getAsBoolean() ? Level.DEBUG : Level.WARNING,
          "message from node {0} to node {1} is lost: {2}",
          message.sender(),
          receiver,
          e.getMessage());
    }
  }

  @Override
  public void deliver(int receiver, Message message) throws InterruptedException {
    LiveHost host = host(receiver);
    if (!isOfAnotherLife(receiver, message) && !isHeardAgain(receiver, message)) {
      host.deliver(message);
      noteFinished(receiver, message);
      settle(message.sender());
    }
  }

  @Override
  public boolean offer(int receiver, Message message) {
    LiveHost host = host(receiver);
    if (isOfAnotherLife(receiver, message) || isHeardAgain(receiver, message)) {
      return true;
    }
    boolean taken = host.offer(message);
    if (taken) {
      noteFinished(receiver, message);
      settle(message.sender());
    } else if (kept != null) {
      kept.isToCome(receiver, message);
    }
    return taken;
  }

  /** Drops what a worker says again that has come back. */
  private boolean isHeardAgain(int receiver, Message message) {
    boolean isAgain =
        kept != null && hosts[message.sender()] == null && !kept.hear(receiver, message);
    if (isAgain) {
      settle(message.sender());
    }
    return isAgain;
  }

  /** Drops a message of a life that is over, or to one who is down. */
  private boolean isOfAnotherLife(int receiver, Message message) {
    if (!lives.isUsed()) {
      return false;
    }
    boolean isLost =
        lives.isDown(receiver)
            || message.life()
                != (lives.incarnation(message.sender(), receiver) & Message.LARGEST_LIFE);
    if (isLost) {
      lives.lost(message.sender());
      settle(message.sender());
    }
    return isLost;
  }

  private void noteFinished(int receiver, Message message) {
    LiveHost sender = hosts[message.sender()];
    if (message.tag() != Message.EXCHANGE && sender != null && ended.hasFinished(receiver)) {
      sender.noteFinished(receiver);
    }
  }

  private void settle(int sender) {
    counts.settled(workerOf(sender));
    settled.run();
  }

  @Override
  public void gone(int receiver, int peer) {
    if (hosts[peer] == null) {
      ended.add(peer, false);
    }
    host(receiver).hearGoodbye(peer);
  }

  @Override
  public void refused(int receiver, int peer, String reason) {
    if (receiver < 0) {
      LOG.log(Level.WARNING, "a connection from outside the run was refused: {0}", reason);
      return;
    }
    LOG.log(Level.WARNING, "node {0} closed its link with node {1}: {2}", receiver, peer, reason);
  }

  /** Forgets what is held back; closes the transport. */
  @Override
  public void close() {
    heldBack.shutdownNow();
    transport.close();
  }
}
