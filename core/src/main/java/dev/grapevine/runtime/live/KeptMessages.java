package dev.grapevine.runtime.live;

import dev.grapevine.message.Message;
import dev.grapevine.message.Payload;
import dev.grapevine.network.Transport;
import dev.grapevine.runtime.Company;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * What nodes of this process have said to those of other workers since the newest cut, to be said
 * again to a worker that comes back from it, and what they have heard from them, which such a
 * worker says again. In a protocol in step a node says one thing a round to each neighbour on each
 * channel, and the same each time: so what is heard twice is dropped, and the run takes the course
 * that it would have taken. Safe for concurrent use.
 */
final class KeptMessages implements Company.Comeback {

  /** What it may take of the heap before it gives up. */
  private static final int PART_OF_HEAP = 4;

  private static final int CHANNEL_SHIFT = 24;

  private record Sent(int receiver, Message message) {}

  private final Company company;
  private final Transport transport;

  /** Keeps a connection from being replaced while a message is kept and passed to it. */
  private final ReadWriteLock[] passing;

  /** By worker, then by round. */
  private final List<TreeMap<Integer, List<Sent>>> sent = new ArrayList<>();

  /** By receiver: rounds, channels and senders. */
  private final Map<Integer, Set<Long>> heard = new HashMap<>();

  private final long limit;
  private long bytes;
  private boolean givenUp;

  KeptMessages(Company company, Transport transport) {
    this(company, transport, Runtime.getRuntime().maxMemory() / PART_OF_HEAP);
  }

  /**
   * @param limit of what is kept, in bytes
   */
  KeptMessages(Company company, Transport transport, long limit) {
    this.company = company;
    this.transport = transport;
    this.limit = limit;
    passing = new ReadWriteLock[company.workers()];
    for (int worker = 0; worker < passing.length; worker++) {
      passing[worker] = new ReentrantReadWriteLock();
      sent.add(new TreeMap<>());
    }
  }

  /** Sends a message to a node of another worker and keeps it. */
  void send(int receiver, Message message) throws IOException, InterruptedException {
    int worker = company.workerOf(receiver);
    Lock lock = passing[worker].readLock();
    lock.lockInterruptibly();
    try {
      keep(worker, receiver, message);
      transport.send(receiver, message);
    } finally {
      lock.unlock();
    }
  }

  private synchronized void keep(int worker, int receiver, Message message) {
    if (message.tag() != Message.EXCHANGE) {
      giveUp("its nodes say what belongs to no exchange of a round");
    }
    if (givenUp) {
      return;
    }
    List<Sent> round =
        sent.get(worker).computeIfAbsent(message.round(), number -> new ArrayList<>());
    // One payload goes to many neighbours, one after the other.
    if (round.isEmpty() || round.getLast().message().payload() != message.payload()) {
      bytes += message.payload().size();
    }
    round.add(new Sent(receiver, message));
    if (bytes > limit) {
      giveUp(
          "what is said between two checkpoints takes more than %d MiB; save more often"
              .formatted(limit >> 20));
    }
  }

  private void giveUp(String reason) {
    if (!givenUp) {
      givenUp = true;
      sent.forEach(Map::clear);
      heard.clear();
      bytes = 0;
      company.keepsNoMore(reason);
    }
  }

  /** A message of another worker's node has come; false if it was heard before. */
  synchronized boolean hear(int receiver, Message message) {
    return givenUp || heard.computeIfAbsent(receiver, node -> new HashSet<>()).add(key(message));
  }

  /** It was not taken after all, and comes again. */
  synchronized void isToCome(int receiver, Message message) {
    Set<Long> before = heard.get(receiver);
    if (before != null) {
      before.remove(key(message));
    }
  }

  private static long key(Message message) {
    return (long) message.round() << 32
        | (long) message.channel() << CHANNEL_SHIFT
        | message.sender();
  }

  @Override
  public synchronized void saved(int rounds) {
    bytes = 0;
    for (TreeMap<Integer, List<Sent>> each : sent) {
      each.headMap(rounds).clear();
      each.values().forEach(round -> bytes += sizeOf(round));
    }
    heard.values().forEach(keys -> keys.removeIf(key -> key >>> 32 < rounds));
  }

  private static long sizeOf(List<Sent> round) {
    long size = 0;
    @Nullable Payload last = null;
    for (Sent each : round) {
      size += each.message().payload() == last ? 0 : each.message().payload().size();
      last = each.message().payload();
    }
    return size;
  }

  @Override
  public void back(int worker, int rounds, Runnable connect) {
    List<Sent> again;
    Lock lock = passing[worker].writeLock();
    lock.lock();
    try {
      // What is kept from here on goes to the new connection by itself.
      again = since(worker, rounds);
      connect.run();
    } finally {
      lock.unlock();
    }
    try {
      for (Sent each : again) {
        transport.send(each.receiver(), each.message());
      }
    } catch (IOException lostAgain) {
      // Whoever looks after all workers knows, and all is said once more.
      return;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The oldest rounds first: the worker needs them first. */
  private synchronized List<Sent> since(int worker, int rounds) {
    List<Sent> all = new ArrayList<>();
    sent.get(worker).tailMap(rounds).values().forEach(all::addAll);
    return all;
  }
}
