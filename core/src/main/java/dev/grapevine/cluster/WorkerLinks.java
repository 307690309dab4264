package dev.grapevine.cluster;

import dev.grapevine.network.Inbox;
import dev.grapevine.network.ProcessLinks;
import dev.grapevine.runtime.Company;
import dev.grapevine.security.LinkChannel;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** A worker's connections to the others, of which some may be lost and come back. */
final class WorkerLinks {

  /** Connects to a worker that has come back. */
  @FunctionalInterface
  interface Dialler {
    LinkChannel dial(Control.Back back) throws IOException, InterruptedException;
  }

  private final int own;
  private final int payloadLimit;
  private final ProcessLinks.Breakdown breakdown;
  private final CompletableFuture<ProcessLinks> opening = new CompletableFuture<>();
  private final Set<Integer> lostBefore = ConcurrentHashMap.newKeySet();

  /** Workers that were lost, by the life in which they are to be connected again; 0 if unknown. */
  private final Map<Integer, Integer> away = new ConcurrentHashMap<>();

  private volatile Map<Integer, LinkChannel> channels = Map.of();
  private volatile @Nullable ProcessLinks links;
  private volatile boolean keepsMessages;
  private volatile Company.@Nullable Comeback comeback;

  /**
   * @param own the number of this worker
   * @param payloadLimit the largest payload that a link accepts, in bytes
   */
  WorkerLinks(int own, int payloadLimit, ProcessLinks.Breakdown breakdown) {
    this.own = own;
    this.payloadLimit = payloadLimit;
    this.breakdown = breakdown;
  }

  /** The connections to all other workers are there. */
  void linked(Map<Integer, LinkChannel> connected) {
    channels = Map.copyOf(connected);
  }

  /** Who keeps messages for those who come back. */
  void keptBy(Company.Comeback keeps) {
    comeback = keeps;
  }

  ProcessLinks open(Inbox inbox, Control.Roster roster) {
    keepsMessages = roster.keepsMessages();
    // Where the run goes on already, others speak at once, but nodes have to be in their places.
    ProcessLinks opened =
        new ProcessLinks(
            inbox,
            own,
            roster.workerOf(),
            isBack(roster) ? Map.of() : channels,
            payloadLimit,
            breakdown);
    links = opened;
    if (!isBack(roster)) {
      opening.complete(opened);
    }
    return opened;
  }

  /** Whether this worker has come back to a run that goes on. */
  private boolean isBack(Control.Roster roster) {
    return roster.entries().get(own).incarnation() > 0;
  }

  /** All nodes are in their places. */
  synchronized void begin(Control.Roster roster) {
    ProcessLinks opened = links;
    if (opened != null && isBack(roster)) {
      channels.forEach((worker, channel) -> {
        opened.connect(worker, channel);
        if (lostBefore.contains(worker)) {
          opened.lost(worker);
        }
      });
      opening.complete(opened);
    }
  }

  /** A worker was lost, perhaps before this one has its connections. */
  synchronized void lost(int worker) {
    away.put(worker, 0);
    ProcessLinks opened = opening.getNow(null);
    if (opened == null) {
      lostBefore.add(worker);
    } else {
      opened.lost(worker);
    }
  }

  /** A worker that was lost is there again, and is to be connected to. */
  void expect(Control.Back back) {
    away.put(back.worker(), back.entry().incarnation());
  }

  /** Whether there is a connection to a worker. */
  boolean isConnected(int worker) {
    return !away.containsKey(worker);
  }

  /** Whether a worker was lost before this one was connected to all. */
  boolean wasLost(int worker) {
    return lostBefore.contains(worker);
  }

  /** A worker is gone for good. */
  void gone(int worker) {
    ProcessLinks opened = links;
    if (opened != null) {
      opened.gone(worker);
    }
  }

  /** Connects to one who has come back, and has it told what it needs to hear again. */
  void connect(Control.Back back, Dialler dialler) throws IOException, InterruptedException {
    LinkChannel channel = dialler.dial(back);
    ProcessLinks opened;
    try {
      opened = opening.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
    Company.Comeback keeps = comeback;
    if (keeps == null) {
      opened.connect(back.worker(), channel);
    } else {
      if (!keepsMessages) {
        // What the process before has sent must not be counted for the new one.
        opened.forget(back.worker());
      }
      keeps.back(back.worker(), back.rounds(), () -> opened.connect(back.worker(), channel));
    }
    away.remove(back.worker(), back.entry().incarnation());
  }

  /** So many rounds are saved. */
  void saved(int rounds) {
    Company.Comeback keeps = comeback;
    if (keeps != null) {
      keeps.saved(rounds);
    }
  }
}
