package dev.grapevine.cluster;

import dev.grapevine.UserException;
import dev.grapevine.security.Arrival;
import dev.grapevine.security.Greeting;
import dev.grapevine.security.LinkChannel;
import dev.grapevine.security.LinkSecurity;
import dev.grapevine.security.RefusedException;
import dev.grapevine.security.Trust;
import dev.grapevine.security.WorkerIdentity;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;

/**
 * How a worker gets into a run: it finds the coordinator, says what it has, hears who else takes
 * part, and connects to them. Each worker connects to those before it and is connected to by those
 * after it; to one who comes back, all others connect.
 */
public final class Joining {

  private static final System.Logger LOG = System.getLogger(Joining.class.getName());
  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

  /** A rendezvous may name one who is gone, whose port another has now. */
  private static final int REFUSALS = 3;

  /**
   * What a worker says of itself.
   *
   * @param grapevine its version of Grapevine
   * @param nodes the nodes that it has built
   * @param experiment hash of the experiment as it was resolved, and of the files it names
   * @param data hash of the data
   * @param host the name of its machine
   * @param firstRound the round that its nodes begin with
   */
  public record Papers(
      String grapevine, int[] nodes, String experiment, String data, String host, int firstRound) {}

  /**
   * How a worker is connected.
   *
   * @param advertise the address at which others reach it, if not the one it reaches them from
   * @param port where it listens, 0 for a free one
   * @param onThisMachine how many workers share this machine
   * @param payloadLimit the largest payload that a link accepts, in bytes
   * @param patience how long one waits for another
   */
  public record Manner(
      Optional<String> advertise,
      int port,
      int onThisMachine,
      int payloadLimit,
      Patience patience) {}

  private final Rank rank;
  private final LinkSecurity security;
  private final Optional<WorkerIdentity> identity;
  private final Manner manner;
  private final Map<Integer, CompletableFuture<LinkChannel>> arrivals = new ConcurrentHashMap<>();
  private final CompletableFuture<Control.Roster> roster = new CompletableFuture<>();

  /**
   * @param identity of this worker; without one, connections are not encrypted
   */
  public Joining(
      Rank rank, LinkSecurity security, Optional<WorkerIdentity> identity, Manner manner) {
    this.rank = rank;
    this.security = security;
    this.identity = identity;
    this.manner = manner;
    for (int other = 0; other < rank.world(); other++) {
      if (other != rank.rank()) {
        arrivals.put(other, new CompletableFuture<>());
      }
    }
  }

  /**
   * Joins; returns when this worker is connected to all others.
   *
   * @throws UserException when it is refused, for what its user can mend
   * @throws RunGivenUp when the run was given up before
   */
  public WorkerSession join(Rendezvous rendezvous, Papers papers) throws InterruptedException {
    LinkChannel control = find(rendezvous);
    InetAddress own = localAddress(control);
    WorkerSession session = null;
    try (Door door = new Door(security, own, manner.port(), this::receive, Joining::stranger)) {
      ControlChannel channel = new ControlChannel(control);
      try {
        channel.send(
            new Control.Join(
                Control.VERSION,
                papers.grapevine(),
                rank.rank(),
                rank.world(),
                papers.nodes(),
                papers.experiment(),
                papers.data(),
                papers.host(),
                manner.advertise().orElse(own.getHostAddress()),
                door.port(),
                own.isLoopbackAddress() ? door.openSide() : "",
                ProcessHandle.current().pid(),
                certificate(),
                papers.firstRound()));
      } catch (IOException e) {
        throw new UserException("the coordinator has hung up: " + e.getMessage(), e);
      }
      session =
          new WorkerSession(
              rank, identity, channel, manner.onThisMachine(), manner.payloadLimit(), this::dial);
      Control.Roster all = session.awaitRoster();
      CertifiedNodes.check(all);
      roster.complete(all);
      session.linked(connect(all, session));
      return session;
    } catch (RuntimeException | InterruptedException e) {
      if (session != null) {
        session.close();
      }
      throw e;
    }
  }

  private byte[] certificate() {
    try {
      return identity.isPresent() ? identity.get().certificate().getEncoded() : new byte[0];
    } catch (CertificateException e) {
      throw new IllegalStateException("cannot encode the own certificate", e);
    }
  }

  private static void stranger(String line) {
    LOG.log(Level.WARNING, line);
  }

  private static InetAddress localAddress(LinkChannel channel) {
    try {
      return ((InetSocketAddress) channel.socket().getLocalAddress()).getAddress();
    } catch (IOException e) {
      throw new UserException("the coordinator has hung up: " + e.getMessage(), e);
    }
  }

  /** Looks for the coordinator until it is there. */
  private LinkChannel find(Rendezvous rendezvous) throws InterruptedException {
    long deadline = System.nanoTime() + manner.patience().join().toNanos();
    Duration pause = FIRST_PAUSE;
    String problem = "nobody has said where it is";
    int refusals = 0;
    while (true) {
      Optional<InetSocketAddress> address = rendezvous.address();
      if (address.isPresent()) {
        try {
          return open(
              resolved(address.get()),
              security,
              new Greeting(Greeting.Purpose.CONTROL, rank.rank(), Greeting.COORDINATOR));
        } catch (RefusedException e) {
          problem = String.valueOf(e.getMessage());
          // One who was only too slow, on a machine that starts many processes, may do better.
          refusals += e.getCause() instanceof ClosedChannelException ? 0 : 1;
          if (refusals >= (rendezvous instanceof Rendezvous.At ? 1 : REFUSALS)) {
            throw new UserException(
                "worker %d cannot join at %s: %s".formatted(rank.rank(), rendezvous, problem), e);
          }
        } catch (IOException e) {
          problem = String.valueOf(e.getMessage());
        }
      }
      if (System.nanoTime() - deadline > 0) {
        throw new RunGivenUp(
            "worker %d found no coordinator at %s within %d s: %s"
                .formatted(rank.rank(), rendezvous, manner.patience().join().toSeconds(), problem),
            ExitCode.TRY_AGAIN);
      }
      Thread.sleep(pause);
      pause = pause.multipliedBy(2);
      pause = pause.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause;
    }
  }

  private static InetSocketAddress resolved(InetSocketAddress address) throws IOException {
    InetSocketAddress resolved =
        address.isUnresolved()
            ? new InetSocketAddress(address.getHostString(), address.getPort())
            : address;
    if (resolved.isUnresolved()) {
      throw new IOException("no machine is called " + address.getHostString());
    }
    return resolved;
  }

  private static LinkChannel open(SocketAddress address, LinkSecurity security, Greeting greeting)
      throws IOException {
    SocketChannel socket = LinkSockets.connect(address);
    try {
      return security.open(socket, greeting);
    } catch (IOException | RuntimeException e) {
      socket.close();
      throw e;
    }
  }

  /** A worker after this one connects; it must be the one that the roster has. */
  private void receive(Arrival arrival) throws IOException {
    Greeting greeting = arrival.greeting();
    CompletableFuture<LinkChannel> awaited = arrivals.get(greeting.from());
    if (greeting.purpose() != Greeting.Purpose.WORKERS
        || greeting.to() != rank.rank()
        || awaited == null) {
      arrival.refuse("here is worker %d, not %s".formatted(rank.rank(), greeting.acceptor()));
      return;
    }
    if (awaited.isDone()) {
      arrival.refuse("worker %d is connected already".formatted(greeting.from()));
      return;
    }
    try {
      Control.Roster all = roster.get(manner.patience().join().toNanos(), TimeUnit.NANOSECONDS);
      if (Arrays.stream(connecting(all)).noneMatch(other -> other == greeting.from())) {
        arrival.refuse(
            "worker %d is to be connected to, not to connect".formatted(greeting.from()));
        return;
      }
      byte[] pinned = all.entries().get(greeting.from()).certificate();
      Optional<X509Certificate> shown = arrival.certificate();
      if (shown.isPresent() && !Arrays.equals(pinned, shown.get().getEncoded())) {
        arrival.refuse(
            "its certificate is not the one that the roster has for worker " + greeting.from());
        return;
      }
    } catch (ExecutionException | TimeoutException | CertificateException e) {
      arrival.refuse("this worker does not take part: " + e.getMessage());
      return;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return;
    }
    arrival.welcome();
    awaited.complete(arrival.channel());
  }

  private Map<Integer, LinkChannel> connect(Control.Roster all, WorkerSession session)
      throws InterruptedException {
    LinkSecurity trusting = security.trusting(Trust.pinned(certificates(all.entries())));
    Map<Integer, LinkChannel> channels = new HashMap<>();
    for (int earlier = 0; earlier < rank.rank() && !isBack(all); earlier++) {
      Control.Entry entry = all.entries().get(earlier);
      try {
        channels.put(earlier, reach(earlier, entry, trusting, session));
      } catch (IOException e) {
        throw new UserException(
            "worker %d on %s cannot be reached from worker %d at %s, port %d: %s"
                .formatted(
                    earlier,
                    entry.host(),
                    rank.rank(),
                    entry.address(),
                    entry.port(),
                    e.getMessage()),
            e);
      }
    }
    for (int other : connecting(all)) {
      await(other, Objects.requireNonNull(arrivals.get(other)), session)
          .ifPresent(channel -> channels.put(other, channel));
    }
    return channels;
  }

  /** Whether this worker comes back to a run that has begun. */
  private boolean isBack(Control.Roster all) {
    return all.entries().get(rank.rank()).incarnation() > 0;
  }

  /** Those who connect to this worker. */
  private int[] connecting(Control.Roster all) {
    return isBack(all)
        ? all.connecting()
        : IntStream.range(rank.rank() + 1, rank.world()).toArray();
  }

  /** Connects to a worker that has come back. */
  private LinkChannel dial(Control.Back back, WorkerSession session)
      throws IOException, InterruptedException {
    Control.Entry entry = back.entry();
    Control.Roster before = roster.join();
    List<Control.Entry> entries = new ArrayList<>(before.entries());
    entries.set(back.worker(), entry);
    CertifiedNodes.check(
        new Control.Roster(
            before.session(),
            before.workerOf(),
            entries,
            before.directory(),
            before.savesModels(),
            before.mended(),
            before.keepsMessages(),
            before.connecting()));
    return reach(
        back.worker(), entry, security.trusting(Trust.pinned(certificates(entries))), session);
  }

  /** Connects to a worker that listens; what is lost on the way is said again for a while. */
  private LinkChannel reach(
      int earlier, Control.Entry entry, LinkSecurity trusting, WorkerSession session)
      throws IOException, InterruptedException {
    Greeting greeting = new Greeting(Greeting.Purpose.WORKERS, rank.rank(), earlier);
    InetSocketAddress address = new InetSocketAddress(entry.address(), entry.port());
    if (!entry.path().isEmpty()) {
      try {
        return open(UnixDomainSocketAddress.of(entry.path()), trusting, greeting);
      } catch (RefusedException decided) {
        throw decided;
      } catch (IOException | UnsupportedOperationException elsewhere) {
        // Two who share a network, but not their files: by the front door, then.
        LOG.log(Level.DEBUG, "{0}: {1}", entry.path(), elsewhere.getMessage());
      }
    }
    long deadline = System.nanoTime() + manner.patience().silence().toNanos();
    while (true) {
      try {
        return open(resolved(address), trusting, greeting);
      } catch (RefusedException decided) {
        throw decided;
      } catch (IOException broken) {
        session.requireGoesOn();
        if (System.nanoTime() - deadline > 0) {
          throw broken;
        }
        Thread.sleep(FIRST_PAUSE);
      }
    }
  }

  /**
   * Waits for one who is to connect, unless the run is given up meanwhile; empty if it was lost,
   * and will be connected to when it is back.
   */
  private Optional<LinkChannel> await(
      int later, CompletableFuture<LinkChannel> arrival, WorkerSession session)
      throws InterruptedException {
    long deadline = System.nanoTime() + manner.patience().join().toNanos();
    while (System.nanoTime() - deadline < 0) {
      try {
        return Optional.of(arrival.get(FIRST_PAUSE.toMillis(), TimeUnit.MILLISECONDS));
      } catch (TimeoutException notYet) {
        session.requireGoesOn();
        if (session.wasLost(later)) {
          return Optional.empty();
        }
      } catch (ExecutionException e) {
        throw new IllegalStateException(e);
      }
    }
    throw new RunGivenUp(
        "worker %d did not connect to worker %d".formatted(later, rank.rank()), ExitCode.TRY_AGAIN);
  }

  private static Map<Integer, X509Certificate> certificates(List<Control.Entry> entries) {
    Map<Integer, X509Certificate> certificates = new HashMap<>();
    for (int worker = 0; worker < entries.size(); worker++) {
      byte[] encoded = entries.get(worker).certificate();
      if (encoded.length > 0) {
        try {
          certificates.put(
              worker,
              (X509Certificate)
                  CertificateFactory.getInstance("X.509")
                      .generateCertificate(new ByteArrayInputStream(encoded)));
        } catch (CertificateException e) {
          throw new UserException(
              "the certificate of worker %d cannot be read: %s".formatted(worker, e.getMessage()),
              e);
        }
      }
    }
    return certificates;
  }
}
