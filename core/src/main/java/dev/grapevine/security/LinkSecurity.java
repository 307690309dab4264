package dev.grapevine.security;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Makes a connection out of a socket: agrees on keys where it must be encrypted, and lets both ends
 * prove who they are. Whatever is wrong becomes a {@link RefusedException} with one sentence, and
 * the socket is closed. Nobody is waited for longer than {@link #PATIENCE}.
 */
public final class LinkSecurity {

  /** How long the other end may take to prove who it is. */
  public static final Duration PATIENCE = Duration.ofSeconds(10);

  /** How long one who was refused may take to hear it. */
  static final Duration FAREWELL = Duration.ofSeconds(1);

  private static final byte TLS_HANDSHAKE = 22;

  private final RunSecret secret;
  private final @Nullable WorkerIdentity identity;
  private final @Nullable TlsEngines engines;
  private final Trust trust;
  private final TlsPolicy policy;
  private final boolean insecure;
  private final Duration patience;

  private LinkSecurity(
      RunSecret secret,
      @Nullable WorkerIdentity identity,
      Trust trust,
      TlsPolicy policy,
      boolean insecure,
      Duration patience) {
    this.secret = secret;
    this.identity = identity;
    this.trust = trust;
    this.policy = policy;
    this.insecure = insecure;
    this.patience = patience;
    this.engines = identity == null ? null : new TlsEngines(identity, trust);
  }

  /** Connections of one machine, authenticated by the secret and not encrypted. */
  public static LinkSecurity loopback(RunSecret secret) {
    return new LinkSecurity(secret, null, Trust.anybody(), TlsPolicy.NEVER, false, PATIENCE);
  }

  /**
   * Connections of a run on any number of machines.
   *
   * @param identity of this end; where nobody vouches for it the secret does
   * @param insecure whether {@link TlsPolicy#NEVER} is meant for connections between machines too
   */
  public static LinkSecurity of(
      RunSecret secret, WorkerIdentity identity, TlsPolicy policy, boolean insecure) {
    Trust trust = identity.authority().map(Trust::authority).orElseGet(Trust::anybody);
    return new LinkSecurity(secret, identity, trust, policy, insecure, PATIENCE);
  }

  /** The same, believing from now on only those whom {@code further} believes as well. */
  public LinkSecurity trusting(Trust further) {
    return new LinkSecurity(secret, identity, trust.and(further), policy, insecure, patience);
  }

  /** The same with other patience. */
  LinkSecurity waiting(Duration other) {
    return new LinkSecurity(secret, identity, trust, policy, insecure, other);
  }

  /**
   * Makes a connection out of one that this end has opened. When it returns, the other end has let
   * this one in.
   *
   * @throws RefusedException when one of the two does not believe the other
   */
  public LinkChannel open(SocketChannel socket, Greeting greeting) throws IOException {
    return within(
        socket,
        greeting.acceptor(),
        () -> {
          LinkChannel channel = new PlainChannel(socket);
          if (encrypts(socket)) {
            channel = handshake(socket, true, ByteBuffer.allocate(0));
            checkParty(channel, greeting.to());
          }
          new Hello(channel, secret, ownCertificate(channel)).open(greeting);
          return channel;
        });
  }

  /**
   * Hears out one who has connected to this end.
   *
   * @throws RefusedException when it is not believed
   */
  public Arrival receive(SocketChannel socket) throws IOException {
    return within(
        socket,
        "it",
        () -> {
          boolean encrypts = encrypts(socket);
          ByteBuffer begun = ByteBuffer.allocate(1);
          if (socket.read(begun) < 0) {
            throw new EOFException("it left before it had said anything");
          }
          requireKind(begun.flip().get(0) == TLS_HANDSHAKE, encrypts);
          LinkChannel channel = new PlainChannel(socket);
          if (encrypts) {
            channel = handshake(socket, false, begun);
          }
          Hello hello = new Hello(channel, secret, ownCertificate(channel));
          Greeting greeting = hello.receive(begun);
          try {
            checkParty(channel, greeting.from());
          } catch (RefusedException e) {
            hello.refuse(e.getMessage());
            throw e;
          }
          return new Arrival(greeting, channel, hello);
        });
  }

  private static void requireKind(boolean speaksTls, boolean encrypts) throws RefusedException {
    if (speaksTls != encrypts) {
      throw new RefusedException(
          speaksTls
              ? "it speaks TLS where this end does not; start all with the same --tls"
              : "it does not speak TLS where this end does; start all with the same --tls");
    }
  }

  private boolean encrypts(SocketChannel socket) throws IOException {
    SocketAddress peer = socket.getRemoteAddress();
    if (peer == null) {
      throw new ClosedChannelException();
    }
    // A socket of the file system never leaves the machine.
    InetAddress machine =
        peer instanceof InetSocketAddress far ? far.getAddress() : InetAddress.getLoopbackAddress();
    boolean encrypts = policy.encrypts(machine, insecure);
    if (encrypts && engines == null) {
      throw new IllegalStateException("no identity for a connection with " + peer);
    }
    return encrypts;
  }

  private TlsChannel handshake(SocketChannel socket, boolean isClient, ByteBuffer begun)
      throws IOException {
    if (engines == null) {
      throw new IllegalStateException("no identity to agree on keys with");
    }
    TlsChannel channel = new TlsChannel(socket, engines.engine(isClient), begun);
    channel.handshake();
    return channel;
  }

  /** The certificate was believed; now it must be that of the party it claims to be. */
  private void checkParty(LinkChannel channel, int party) throws RefusedException {
    X509Certificate certificate = channel.peerCertificate().orElse(null);
    if (certificate != null) {
      try {
        trust.check(certificate, party);
      } catch (CertificateException e) {
        throw new RefusedException(String.valueOf(e.getMessage()), e);
      }
    }
  }

  private byte[] ownCertificate(LinkChannel channel) throws IOException {
    try {
      return identity == null || channel.peerCertificate().isEmpty()
          ? new byte[0]
          : identity.certificate().getEncoded();
    } catch (CertificateEncodingException e) {
      throw new IOException("cannot encode the own certificate", e);
    }
  }

  /** Whether an authority vouches for this end, as it must then for every other. */
  public boolean isCertified() {
    return identity != null && identity.authority().isPresent();
  }

  @FunctionalInterface
  private interface Steps<T> {
    T take() throws IOException;
  }

  private <T> T within(SocketChannel socket, String other, Steps<T> steps) throws IOException {
    boolean done = false;
    Deadline deadline = Deadline.of(socket, patience);
    try {
      T result = steps.take();
      done = true;
      return result;
    } catch (RefusedException e) {
      Deadline.close(socket, FAREWELL);
      throw e;
    } catch (SSLException e) {
      Deadline.close(socket, FAREWELL);
      throw new RefusedException(reason(e), e);
    } catch (ClosedChannelException e) {
      if (deadline.hasPassed() && !(e instanceof ClosedByInterruptException)) {
        throw new RefusedException(
            "%s did not prove who it is within %s s".formatted(other, patience.toMillis() / 1000.0),
            e);
      }
      throw e;
    } finally {
      deadline.close();
      if (!done) {
        socket.close();
      }
    }
  }

  /** TLS's own words, and ours where we have refused. */
  private static String reason(SSLException failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof CertificateException && cause.getMessage() != null) {
        return cause.getMessage();
      }
    }
    String message = String.valueOf(failure.getMessage());
    int alert = message.indexOf("fatal alert: ");
    return alert < 0
        ? "no agreement on keys: " + message
        : "the other end refuses: " + message.substring(alert + "fatal alert: ".length());
  }
}
