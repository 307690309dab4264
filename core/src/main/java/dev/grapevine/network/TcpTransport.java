package dev.grapevine.network;

import dev.grapevine.UserException;
import dev.grapevine.message.MalformedPayloadException;
import dev.grapevine.message.Message;
import dev.grapevine.security.Arrival;
import dev.grapevine.security.Descriptors;
import dev.grapevine.security.Doorkeeper;
import dev.grapevine.security.Greeting;
import dev.grapevine.security.Greeting.Purpose;
import dev.grapevine.security.LinkChannel;
import dev.grapevine.security.LinkSecurity;
import dev.grapevine.security.RunSecret;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.ZoneId;
import java.util.Comparator;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Messages over TCP: one duplex connection for each pair of nodes that talk, opened by whoever
 * speaks first. Each end has a reader on a virtual thread; senders write on their own thread and
 * wait while the socket is full. When there are too many connections, the one that was not used for
 * longest is closed; the next message opens it again.
 *
 * <p>Every connection begins with a greeting in which both ends prove that they know the secret of
 * the run, so that nobody else on the machine can send a node anything.
 */
public final class TcpTransport implements Transport {

  private static final int BACKLOG = 1024;
  private static final int STRIPES = 256;

  /** How long one waits for descriptors before it looks again, in ms. */
  private static final long PAUSE = 20;

  /** How often; who has found no room by then tries without. */
  private static final int LOOKS = 500;

  /** How many links are looked at to find one to close: close to the oldest is good enough. */
  private static final int CANDIDATES = 64;

  private final Inbox inbox;
  private final int nodes;
  private final int payloadLimit;
  private final LinkSecurity security;
  private final Doorkeeper doorkeeper;
  private final ServerSocketChannel server;
  private final InetSocketAddress address;

  /** Ends of links by (local node, peer). */
  private final ConcurrentHashMap<Long, TcpLink> links = new ConcurrentHashMap<>();

  /** Room for connections; one is given back once the end that was opened here is closed. */
  private final Semaphore room;

  /** Whoever opens the connection of a pair holds the pair's lock, so that there is only one. */
  private final ReentrantLock[] opening = new ReentrantLock[STRIPES];

  /** From where this process is connecting to itself. */
  private final Set<SocketAddress> own = ConcurrentHashMap.newKeySet();

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final AtomicLong uses = new AtomicLong();
  private final AtomicInteger connecting = new AtomicInteger();
  private final Set<Integer> departed = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /**
   * A transport for nodes that all live in this process, on a port of the system's choice.
   *
   * @param payloadLimit the largest payload accepted, in bytes
   * @param linkLimit how many links may be open before unused ones are closed
   */
  public TcpTransport(Inbox inbox, int nodes, int payloadLimit, int linkLimit) {
    this(inbox, nodes, payloadLimit, linkLimit, LinkSecurity.loopback(RunSecret.random()));
  }

  TcpTransport(Inbox inbox, int nodes, int payloadLimit, int linkLimit, LinkSecurity security) {
    this.security = security;
    this.inbox = inbox;
    this.nodes = nodes;
    this.payloadLimit = payloadLimit;
    Descriptors descriptors = Descriptors.here();
    // A pair within this process has two ends.
    room = new Semaphore(Math.min(linkLimit, descriptors.ends() / 2), true);
    doorkeeper = new Doorkeeper(descriptors.strangers());
    // Other people's loggers need it, which cannot open its file once descriptors are used up.
    Objects.requireNonNull(ZoneId.systemDefault());
    for (int i = 0; i < STRIPES; i++) {
      opening[i] = new ReentrantLock();
    }
    try {
      server = ServerSocketChannel.open();
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), BACKLOG);
      address = (InetSocketAddress) server.getLocalAddress();
    } catch (IOException e) {
      throw new UserException("cannot listen on the loopback interface: " + e.getMessage(), e);
    }
    threads.execute(this::accept);
  }

  /** Where this process listens. */
  public InetSocketAddress address() {
    return address;
  }

  @Override
  public void send(int receiver, Message message) throws IOException, InterruptedException {
    send(receiver, message, FrameChannel.OPEN);
  }

  @Override
  public void send(int receiver, Message message, Gate gate)
      throws IOException, InterruptedException {
    write(message.sender(), receiver, link -> link.send(message, uses.getAndIncrement(), gate));
  }

  /** Writes to a link; false if it has been sealed and another must be opened. */
  @FunctionalInterface
  private interface Writing {
    boolean to(TcpLink link) throws IOException, InterruptedException;
  }

  private void write(int local, int peer, Writing writing)
      throws IOException, InterruptedException {
    while (true) {
      TcpLink link = links.get(key(local, peer));
      if (link == null) {
        link = open(local, peer);
      }
      try {
        if (writing.to(link)) {
          return;
        }
        links.remove(key(local, peer), link);
      } catch (IOException | InterruptedException e) {
        // A frame may have been left half written: nothing can follow it.
        drop(link);
        throw e;
      }
    }
  }

  private TcpLink open(int local, int peer) throws IOException, InterruptedException {
    ReentrantLock lock = opening[(31 * Math.min(local, peer) + Math.max(local, peer)) % STRIPES];
    lock.lockInterruptibly();
    try {
      TcpLink present = links.get(key(local, peer));
      if (present != null) {
        return present;
      }
      connecting.incrementAndGet();
      boolean hasRoom = false;
      try {
        hasRoom = takeRoom();
        TcpLink link = link(connect(local, peer), local, peer);
        links.put(key(local, peer), link);
        boolean givesBack = hasRoom;
        threads.execute(() -> {
          serve(link);
          giveRoom(givesBack);
        });
        hasRoom = false;
        return link;
      } finally {
        giveRoom(hasRoom);
        connecting.decrementAndGet();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Connects; when this returns, the other end knows its link too. */
  private LinkChannel connect(int local, int peer) throws IOException {
    SocketChannel socket = SocketChannel.open();
    SocketAddress self = null;
    try {
      socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
      socket.bind(new InetSocketAddress(address.getAddress(), 0));
      self = socket.getLocalAddress();
      own.add(self);
      socket.connect(address);
      return security.open(socket, new Greeting(Purpose.NODES, local, peer));
    } catch (IOException | RuntimeException e) {
      socket.close();
      throw e;
    } finally {
      if (self != null) {
        own.remove(self);
      }
    }
  }

  private void accept() {
    while (!closed) {
      try {
        SocketChannel socket = server.accept();
        // Those of this process need no room among strangers, nor can they be pushed out by them.
        if (!own.contains(socket.getRemoteAddress())) {
          doorkeeper.arrived(socket);
        }
        threads.execute(() -> welcome(socket));
      } catch (ClosedChannelException e) {
        return;
      } catch (IOException e) {
        // Most likely the process has no descriptors left; strangers have to give theirs back.
        turnAway("cannot accept a connection: " + e.getMessage());
        doorkeeper.makeRoom();
        pauseAccepting();
      }
    }
  }

  private static void pauseAccepting() {
    try {
      Thread.sleep(PAUSE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void welcome(SocketChannel socket) {
    TcpLink link = null;
    try {
      socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
      Arrival arrival = security.receive(socket);
      doorkeeper.settled(socket);
      Greeting greeting = arrival.greeting();
      if (greeting.purpose() != Purpose.NODES
          || !isNode(greeting.from())
          || !isNode(greeting.to())) {
        arrival.refuse("there is no such node here: " + greeting);
        return;
      }
      TcpLink welcome = link(arrival.channel(), greeting.to(), greeting.from());
      link = welcome;
      link.welcome(arrival, () -> links.put(key(welcome.local(), welcome.peer()), welcome));
      serve(link);
    } catch (ClosedChannelException e) {
      // The run has ended, or the doorkeeper has made room.
      return;
    } catch (IOException e) {
      turnAway(String.valueOf(e.getMessage()));
    } finally {
      doorkeeper.settled(socket);
      if (link == null) {
        closeQuietly(socket);
      } else {
        drop(link);
      }
    }
  }

  private boolean isNode(int number) {
    return number >= 0 && number < nodes;
  }

  private void turnAway(String reason) {
    if (!closed) {
      doorkeeper.tell(reason).ifPresent(told -> inbox.refused(-1, -1, told));
    }
  }

  private TcpLink link(LinkChannel channel, int local, int peer) {
    return new TcpLink(
        channel,
        new FrameChannel(channel, nodes, payloadLimit, FrameChannel.Several.NEITHER),
        local,
        peer,
        uses.getAndIncrement());
  }

  private void serve(TcpLink link) {
    try {
      link.readAll(inbox);
      links.remove(key(link.local(), link.peer()), link);
      link.seal();
    } catch (MalformedPayloadException e) {
      inbox.refused(link.local(), link.peer(), String.valueOf(e.getMessage()));
    } catch (IOException e) {
      report(link.local(), link.peer(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      drop(link);
    }
  }

  /**
   * Reports a lost connection. A closed channel is none: this end has closed it, because the run
   * ends or because a write failed or was interrupted, which its caller knows.
   */
  private void report(int local, int peer, IOException thrown) {
    if (!closed && !(thrown instanceof ClosedChannelException)) {
      String kind = thrown.getClass().getSimpleName();
      String message = thrown.getMessage();
      inbox.refused(
          local, peer, "connection lost: " + (message == null ? kind : kind + ": " + message));
    }
  }

  private void drop(TcpLink link) {
    links.remove(key(link.local(), link.peer()), link);
    link.close();
  }

  /**
   * Waits until there is room for one more connection, and has others closed for it. Their ends
   * keep their descriptors until both have read what was on its way.
   *
   * @return whether there is; otherwise no connection has ended for long
   */
  private boolean takeRoom() throws InterruptedException {
    boolean taken = room.tryAcquire();
    for (int i = 0; !taken && i < LOOKS; i++) {
      retireOldest();
      taken = room.tryAcquire(PAUSE, TimeUnit.MILLISECONDS);
    }
    return taken;
  }

  private void giveRoom(boolean wasTaken) {
    if (wasTaken) {
      room.release();
    }
  }

  /** Closes the connection that was not used for longest; one that is in use stays. */
  private void retireOldest() {
    // Senders go on meanwhile: each link's last use is read once, or the order contradicts itself.
    record Used(TcpLink link, long last) {}
    links.values().stream()
        .limit(CANDIDATES)
        .map(link -> new Used(link, link.lastUse()))
        .sorted(Comparator.comparingLong(Used::last))
        .map(Used::link)
        .filter(this::retire)
        .findFirst()
        .map(link -> links.get(key(link.peer(), link.local())))
        .ifPresent(this::retire);
  }

  /** Lets no more be sent over a link, unless it is in use; its reader closes it. */
  private boolean retire(TcpLink link) {
    boolean retired = link.trySeal();
    if (retired) {
      links.remove(key(link.local(), link.peer()), link);
    }
    return retired;
  }

  @Override
  public void sayGoodbye(int node) {
    departed.add(node);
    for (int peer = 0; peer < nodes; peer++) {
      if (!departed.contains(peer)) {
        try {
          write(node, peer, TcpLink::sayGoodbye);
        } catch (IOException e) {
          report(node, peer, e);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return;
        }
      }
    }
  }

  /** It takes no longer than a greeting may. */
  @Override
  public boolean isOpening() {
    return connecting.get() > 0;
  }

  /** How many ends of links are open now. */
  int openEnds() {
    return links.size();
  }

  @Override
  public void close() {
    closed = true;
    closeQuietly(server);
    links.values().forEach(TcpLink::close);
    threads.shutdownNow();
    threads.close();
    links.values().forEach(TcpLink::close);
  }

  private static void closeQuietly(@Nullable AutoCloseable closeable) {
    try {
      if (closeable != null) {
        closeable.close();
      }
    } catch (Exception e) {
      // It is gone either way.
      return;
    }
  }

  private static long key(int local, int peer) {
    return (long) local << 32 | peer;
  }
}
