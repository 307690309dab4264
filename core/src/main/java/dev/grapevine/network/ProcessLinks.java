package dev.grapevine.network;

import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.Message;
import dev.grapevine.security.LinkChannel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;

/**
 * Messages between the nodes of several processes: in memory within this one, over one connection
 * to each other process. A connection carries the messages of many nodes, so that nothing may stop
 * it: what a receiver has no room for is parked, and its senders are asked to pause, which holds up
 * nobody else.
 */
public final class ProcessLinks implements Transport {

  /** Hears of connections that break. */
  public interface Breakdown {

    /**
     * The connection to a worker is gone, though nobody has closed it here.
     *
     * @param isExplained whether it is known by now that the worker was lost; to be asked later
     */
    void lost(int worker, String reason, BooleanSupplier isExplained);
  }

  private final Inbox inbox;
  private final int own;
  private final int[] workerOf;
  private final List<Integer> here = new ArrayList<>();
  private final Map<Integer, ProcessLink> links = new ConcurrentHashMap<>();
  private final Map<Integer, Parking> parking = new HashMap<>();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Breakdown breakdown;
  private final int payloadLimit;

  /** Links to workers that were lost. */
  private final Set<ProcessLink> departed = ConcurrentHashMap.newKeySet();

  private volatile boolean closed;

  /**
   * Begins to read what comes.
   *
   * @param own the number of this worker
   * @param workerOf the worker of each node
   * @param channels a connection to each other worker
   * @param payloadLimit the largest payload accepted, in bytes
   */
  public ProcessLinks(
      Inbox inbox,
      int own,
      int[] workerOf,
      Map<Integer, LinkChannel> channels,
      int payloadLimit,
      Breakdown breakdown) {
    this.inbox = inbox;
    this.own = own;
    this.workerOf = workerOf.clone();
    this.breakdown = breakdown;
    this.payloadLimit = payloadLimit;
    for (int node = 0; node < workerOf.length; node++) {
      if (workerOf[node] == own) {
        here.add(node);
        parking.put(node, new Parking(node, inbox, threads));
      }
    }
    channels.forEach(this::connect);
  }

  /** Makes a connection the one to a worker, and begins to read what comes over it. */
  public void connect(int worker, LinkChannel channel) {
    ProcessLink link =
        new ProcessLink(
            channel,
            worker,
            workerOf.length,
            payloadLimit,
            new FrameChannel.Several(nodesOf(worker) > 1, here.size() > 1));
    links.put(worker, link);
    threads.execute(link::writeNotices);
    threads.execute(() -> serve(link));
  }

  private long nodesOf(int worker) {
    return Arrays.stream(workerOf).filter(each -> each == worker).count();
  }

  @Override
  public void send(int receiver, Message message) throws IOException, InterruptedException {
    int worker = workerOf[receiver];
    if (worker == own) {
      inbox.deliver(receiver, message);
    } else {
      link(worker).send(receiver, message);
    }
  }

  private ProcessLink link(int worker) throws IOException {
    ProcessLink link = links.get(worker);
    if (link == null) {
      throw new IOException("there is no connection to worker " + worker);
    }
    return link;
  }

  private void serve(ProcessLink link) {
    String reason = "the other end has closed it";
    try {
      for (FrameHeader frame = link.frames().readHeader();
          frame != null;
          frame = link.frames().readHeader()) {
        take(frame, link);
      }
    } catch (MalformedPayloadException e) {
      reason = String.valueOf(e.getMessage());
    } catch (IOException e) {
      String message = e.getMessage();
      reason = message == null ? e.getClass().getSimpleName() : message;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    link.isRead();
    if (link.close() && !closed) {
      breakdown.lost(link.worker(), reason, () -> departed.contains(link));
    }
  }

  private void take(FrameHeader frame, ProcessLink link) throws IOException, InterruptedException {
    boolean notice = frame.kind() == FrameKind.PAUSE || frame.kind() == FrameKind.RESUME;
    int theirs = notice ? frame.receiver() : frame.sender();
    FrameChannel.require(
        workerOf[theirs] == link.worker(),
        "a frame of someone else: node=%d, worker=%d",
        theirs,
        link.worker());
    switch (frame.kind()) {
      case MESSAGE, SAME -> {
        Message message = link.frames().readMessage(frame);
        Parking place = parking.get(frame.receiver());
        FrameChannel.require(place != null, "node %d is not here", frame.receiver());
        if (place != null) {
          place.take(message, link);
        }
      }
      case GOODBYE -> parking.values().forEach(place -> place.hearGoodbye(frame.sender()));
      case PAUSE -> link.pause(frame.receiver(), true);
      case RESUME -> link.pause(frame.receiver(), false);
    }
  }

  @Override
  public void sayGoodbye(int node) {
    for (int receiver : here) {
      if (receiver != node) {
        inbox.gone(receiver, node);
      }
    }
    links.values().forEach(link -> link.sayGoodbye(node));
  }

  /** A worker was lost, and may come back; what it had sent before may be lost. */
  public void lost(int worker) {
    ProcessLink link = links.get(worker);
    if (link != null) {
      departed.add(link);
      link.close();
    }
  }

  /**
   * Forgets what a worker that was lost has sent and nobody has taken yet; returns when nothing of
   * it is under way here any more.
   */
  public void forget(int worker) throws InterruptedException {
    ProcessLink link = links.get(worker);
    if (link != null) {
      lost(worker);
      link.awaitRead();
    }
    for (Parking place : parking.values()) {
      place.forget(node -> workerOf[node] == worker);
    }
  }

  /** A worker is gone for good, and with it its nodes. */
  public void gone(int worker) {
    lost(worker);
    for (int node = 0; node < workerOf.length; node++) {
      if (workerOf[node] == worker) {
        int theirs = node;
        parking.values().forEach(place -> place.hearGoodbye(theirs));
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    links.values().forEach(ProcessLink::close);
    threads.shutdownNow();
    threads.close();
  }
}
