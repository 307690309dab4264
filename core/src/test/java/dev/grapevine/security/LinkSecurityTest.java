package dev.grapevine.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.grapevine.security.Greeting.Purpose;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class LinkSecurityTest {

  private static final Greeting GREETING = new Greeting(Purpose.WORKERS, 1, 2);
  private static final WorkerIdentity ONE = WorkerIdentity.selfSigned("one");
  private static final WorkerIdentity TWO = WorkerIdentity.selfSigned("two");

  private final RunSecret secret = RunSecret.random();
  private ServerSocketChannel server;

  @BeforeEach
  void listen() throws IOException {
    server = ServerSocketChannel.open();
    server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  @AfterEach
  void stopListening() throws IOException {
    server.close();
  }

  private static LinkSecurity tls(RunSecret secret, WorkerIdentity identity) {
    return LinkSecurity.of(secret, identity, TlsPolicy.ALWAYS, false);
  }

  private static Trust roster(WorkerIdentity one, WorkerIdentity two) {
    return Trust.pinned(Map.of(1, one.certificate(), 2, two.certificate()));
  }

  /** Both ends of one connection. */
  private record Pair(LinkChannel opener, Arrival acceptor) implements AutoCloseable {
    @Override
    public void close() throws IOException {
      opener.close();
      acceptor.channel().close();
    }
  }

  private CompletableFuture<Arrival> accept(LinkSecurity security) {
    CompletableFuture<Arrival> arrival = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(() -> {
          try {
            Arrival arrived = security.receive(server.accept());
            arrived.welcome();
            arrival.complete(arrived);
          } catch (IOException | RuntimeException e) {
            arrival.completeExceptionally(e);
          }
        });
    return arrival;
  }

  private SocketChannel connect() throws IOException {
    return SocketChannel.open(server.getLocalAddress());
  }

  private Pair pair(LinkSecurity opener, LinkSecurity acceptor) throws IOException {
    CompletableFuture<Arrival> arrival = accept(acceptor);
    LinkChannel channel = opener.open(connect(), GREETING);
    return new Pair(channel, arrival.join());
  }

  /** What both ends say of a connection that does not come about. */
  private void refuses(
      LinkSecurity opener, LinkSecurity acceptor, String atOpener, String atAcceptor)
      throws IOException {
    CompletableFuture<Arrival> arrival = accept(acceptor);
    SocketChannel socket = connect();
    assertThatThrownBy(() -> opener.open(socket, GREETING))
        .isInstanceOf(RefusedException.class)
        .message()
        .matches(atOpener)
        .doesNotContain("\n");
    assertThat(socket.isOpen()).isFalse();
    refuses(arrival, atAcceptor);
  }

  private static void refuses(CompletableFuture<Arrival> arrival, String sentence) {
    assertThatThrownBy(arrival::join)
        .isInstanceOf(CompletionException.class)
        .cause()
        .isInstanceOf(IOException.class)
        .message()
        .matches(sentence)
        .doesNotContain("\n");
  }

  private static byte[] random(int length) {
    byte[] bytes = new byte[length];
    new SplittableRandom(length).nextBytes(bytes);
    return bytes;
  }

  private enum Kind {
    PLAIN,
    TLS,
    PINNED
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void membersOfARunTalkBothWays(Kind kind) throws Exception {
    LinkSecurity opener = kind == Kind.PLAIN ? LinkSecurity.loopback(secret) : tls(secret, ONE);
    LinkSecurity acceptor = kind == Kind.PLAIN ? LinkSecurity.loopback(secret) : tls(secret, TWO);
    if (kind == Kind.PINNED) {
      opener = opener.trusting(roster(ONE, TWO));
      acceptor = acceptor.trusting(roster(ONE, TWO));
    }
    try (Pair pair = pair(opener, acceptor)) {
      assertThat(pair.acceptor().greeting()).isEqualTo(GREETING);
      assertThat(pair.acceptor().certificate().isPresent()).isEqualTo(kind != Kind.PLAIN);
      for (int length : new int[] {1, 16384, 16385, 300_000}) {
        byte[] bytes = random(length);
        Thread writer =
            Thread.ofVirtual()
                .start(() -> {
                  try {
                    pair.opener().writeFully(ByteBuffer.wrap(bytes));
                    pair.acceptor().channel().writeFully(ByteBuffer.wrap(bytes));
                  } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                  }
                });
        for (LinkChannel end : new LinkChannel[] {pair.acceptor().channel(), pair.opener()}) {
          ByteBuffer read = ByteBuffer.allocate(length);
          assertThat(end.readFully(read)).isTrue();
          assertThat(read.array()).isEqualTo(bytes);
        }
        writer.join();
      }
    }
  }

  /** One direction ends; the other goes on, also encrypted. */
  @ParameterizedTest
  @EnumSource(Kind.class)
  void eitherDirectionEndsByItself(Kind kind) throws Exception {
    LinkSecurity opener = kind == Kind.PLAIN ? LinkSecurity.loopback(secret) : tls(secret, ONE);
    LinkSecurity acceptor = kind == Kind.PLAIN ? LinkSecurity.loopback(secret) : tls(secret, TWO);
    try (Pair pair = pair(opener, acceptor)) {
      LinkChannel end = pair.acceptor().channel();
      pair.opener().writeFully(ByteBuffer.wrap(new byte[] {1}));
      pair.opener().shutdownOutput();
      assertThat(end.readFully(ByteBuffer.allocate(1))).isTrue();
      assertThat(end.read(ByteBuffer.allocate(1))).isNegative();
      end.writeFully(ByteBuffer.wrap(random(100_000)));
      end.shutdownOutput();
      ByteBuffer read = ByteBuffer.allocate(100_000);
      assertThat(pair.opener().readFully(read)).isTrue();
      assertThat(read.array()).isEqualTo(random(100_000));
      assertThat(pair.opener().read(ByteBuffer.allocate(1))).isNegative();
    }
  }

  @Test
  void anEncryptedStreamThatIsCutOffIsNoEnd() throws Exception {
    try (Pair pair = pair(tls(secret, ONE), tls(secret, TWO))) {
      pair.opener().socket().shutdownOutput();
      assertThatThrownBy(() -> pair.acceptor().channel().read(ByteBuffer.allocate(1)))
          .hasMessage("the connection was cut off");
    }
  }

  @Test
  void whatWasTamperedWithIsNotRead() throws Exception {
    try (Pair pair = pair(tls(secret, ONE), tls(secret, TWO))) {
      pair.opener()
          .socket()
          .write(
              ByteBuffer.wrap(
                  new byte[] {
                    23, 3, 3, 0, 20, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18,
                    19, 20
                  }));
      assertThatThrownBy(() -> pair.acceptor().channel().read(ByteBuffer.allocate(1)))
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  void anotherSecretIsRefused() throws Exception {
    String opener = "worker 2 does not know the secret of this run";
    String acceptor =
        "whoever says that it is worker 1 refuses: the one who opened this connection has another"
            + " run secret";
    RunSecret other = RunSecret.random();
    refuses(LinkSecurity.loopback(other), LinkSecurity.loopback(secret), opener, acceptor);
    refuses(tls(other, ONE), tls(secret, TWO), opener, acceptor);
  }

  @Test
  void aCertificateThatIsNotInTheRosterIsRefused() throws Exception {
    WorkerIdentity stranger = WorkerIdentity.selfSigned("one");
    Trust trust = roster(ONE, TWO);
    refuses(
        tls(secret, stranger).trusting(trust),
        tls(secret, TWO).trusting(trust),
        "the other end refuses: \\w+",
        "its certificate is not in the roster of this run");
    refuses(
        tls(secret, ONE).trusting(trust),
        tls(secret, stranger).trusting(trust),
        "its certificate is not in the roster of this run",
        "the other end refuses: \\w+");
  }

  @Test
  void oneWorkerCannotPassForAnother() throws Exception {
    Trust trust = roster(TWO, ONE);
    Trust broad =
        Trust.pinned(Map.of(1, ONE.certificate(), 2, TWO.certificate(), 3, ONE.certificate()));
    refuses(
        tls(secret, ONE).trusting(broad),
        tls(secret, TWO).trusting(trust),
        "worker 2 refuses: its certificate is not the one that the roster has for worker 1",
        "its certificate is not the one that the roster has for worker 1");
    refuses(
        tls(secret, ONE).trusting(trust),
        tls(secret, TWO).trusting(broad),
        "its certificate is not the one that the roster has for worker 2",
        ".*");
  }

  @Test
  void anExpiredCertificateIsRefused() throws Exception {
    Instant then = Instant.parse("2020-01-01T00:00:00Z");
    WorkerIdentity old = WorkerIdentity.selfSigned("one", then, then.plusSeconds(60));
    WorkerIdentity early =
        WorkerIdentity.selfSigned(
            "one", Instant.now().plusSeconds(100_000), Instant.now().plusSeconds(200_000));
    refuses(
        tls(secret, old),
        tls(secret, TWO),
        "the other end refuses: \\w+",
        "its certificate expired on 2020-01-01T00:01:00Z");
    refuses(
        tls(secret, early),
        tls(secret, TWO),
        "the other end refuses: \\w+",
        "its certificate is valid only from .* on; compare the clocks of the machines");
  }

  @Test
  void anAuthorityTellsWhoIsWho() throws Exception {
    Authority authority = Authority.create(Duration.ofDays(1));
    WorkerIdentity one = issue(authority, 1);
    WorkerIdentity two = issue(authority, 2);
    pair(tls(secret, one), tls(secret, two)).close();

    refuses(
        tls(secret, issue(authority, 7)),
        tls(secret, two),
        "worker 2 refuses: its certificate is of worker 7, not of worker 1",
        "its certificate is of worker 7, not of worker 1");
    refuses(
        tls(secret, issue(Authority.create(Duration.ofDays(1)), 1)),
        tls(secret, two),
        "its certificate is not of the authority .*",
        "the other end refuses: \\w+");
    refuses(
        tls(secret, ONE),
        tls(secret, two),
        "the other end refuses: \\w+",
        "its certificate is not of the authority .*");
  }

  private static WorkerIdentity issue(Authority authority, int worker) {
    return authority.issue(new CertifiedParty(worker, Optional.empty()), Duration.ofDays(1));
  }

  @Test
  void twoWaysOfTalkingDoNotMix() throws Exception {
    CompletableFuture<Arrival> arrival = accept(tls(secret, TWO));
    assertThatThrownBy(() -> LinkSecurity.loopback(secret).open(connect(), GREETING))
        .isInstanceOf(IOException.class);
    refuses(arrival, "it does not speak TLS where this end does; start all with the same --tls");
    arrival = accept(LinkSecurity.loopback(secret));
    assertThatThrownBy(() -> tls(secret, ONE).open(connect(), GREETING))
        .isInstanceOf(IOException.class);
    refuses(arrival, "it speaks TLS where this end does not; start all with the same --tls");
  }

  /** All that an opener said is said again, bit for bit. */
  @Test
  void aReplayedGreetingIsRefused() throws Exception {
    LinkSecurity security = LinkSecurity.loopback(secret);
    ByteBuffer recorded = ByteBuffer.allocate(1000);
    try (ServerSocketChannel eavesdropper = ServerSocketChannel.open()) {
      eavesdropper.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      CompletableFuture<Arrival> arrival = accept(security);
      Thread relay = Thread.ofVirtual().start(() -> relay(eavesdropper, recorded));
      SocketChannel socket = SocketChannel.open(eavesdropper.getLocalAddress());
      security.open(socket, GREETING).shutdownOutput();
      relay.join();
      assertThat(arrival.join().greeting()).isEqualTo(GREETING);
    }
    CompletableFuture<Arrival> again = accept(security);
    try (SocketChannel replayer = connect()) {
      recorded.flip();
      assertThat(recorded.remaining()).isEqualTo(Hello.OPENING_BYTES + 1 + RunSecret.PROOF_BYTES);
      while (recorded.hasRemaining()) {
        replayer.write(recorded);
      }
      refuses(again, "whoever says that it is worker 1 does not know the secret of this run");
    }
  }

  private void relay(ServerSocketChannel eavesdropper, ByteBuffer recorded) {
    try (SocketChannel opener = eavesdropper.accept();
        SocketChannel acceptor = connect()) {
      Thread back =
          Thread.ofVirtual()
              .start(() -> {
                try {
                  ByteBuffer answer = ByteBuffer.allocate(100);
                  while (acceptor.read(answer) >= 0) {
                    opener.write(answer.flip());
                    answer.clear();
                  }
                } catch (IOException end) {
                  return;
                }
              });
      int begin = 0;
      while (opener.read(recorded) >= 0) {
        acceptor.write(recorded.duplicate().flip().position(begin));
        begin = recorded.position();
      }
      back.interrupt();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** An end that answers with the opener's own words proves nothing. */
  @Test
  void anEchoIsNoProof() throws Exception {
    Thread.ofVirtual()
        .start(() -> {
          try (SocketChannel echo = server.accept()) {
            ByteBuffer heard = ByteBuffer.allocate(Hello.OPENING_BYTES);
            while (heard.hasRemaining()) {
              echo.read(heard);
            }
            ByteBuffer answer = ByteBuffer.allocate(1 + 2 * Hello.NUMBER_BYTES);
            answer.put(1, heard.array(), 16, Hello.NUMBER_BYTES);
            echo.write(answer.clear());
            echo.read(ByteBuffer.allocate(1));
          } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
          }
        });
    assertThatThrownBy(() -> LinkSecurity.loopback(secret).open(connect(), GREETING))
        .hasMessage("worker 2 does not know the secret of this run");
  }

  @ParameterizedTest
  @EnumSource(
      value = Kind.class,
      names = {"PLAIN", "TLS"})
  void garbageIsRefused(Kind kind) throws Exception {
    LinkSecurity security = kind == Kind.PLAIN ? LinkSecurity.loopback(secret) : tls(secret, TWO);
    SplittableRandom random = new SplittableRandom(3);
    for (int attempt = 0; attempt < 50; attempt++) {
      byte[] bytes = new byte[random.nextInt(1, 400)];
      random.nextBytes(bytes);
      if (attempt % 2 == 0) {
        System.arraycopy(
            kind == Kind.PLAIN ? new byte[] {'G', 'R', 'P', 'H', 1, 1} : new byte[] {22, 3, 1, 1},
            0,
            bytes,
            0,
            Math.min(4, bytes.length));
      }
      CompletableFuture<Arrival> arrival = accept(security);
      try (SocketChannel socket = connect()) {
        socket.write(ByteBuffer.wrap(bytes));
        socket.shutdownOutput();
        refuses(arrival, ".*");
      }
    }
    CompletableFuture<Arrival> arrival = accept(security);
    (kind == Kind.PLAIN ? LinkSecurity.loopback(secret) : tls(secret, ONE))
        .open(connect(), GREETING)
        .close();
    assertThat(arrival.join().greeting()).isEqualTo(GREETING);
  }

  @ParameterizedTest
  @EnumSource(
      value = Kind.class,
      names = {"PLAIN", "TLS"})
  void whoTakesItsTimeIsRefused(Kind kind) throws Exception {
    LinkSecurity security =
        (kind == Kind.PLAIN ? LinkSecurity.loopback(secret) : tls(secret, TWO))
            .waiting(Duration.ofMillis(100));
    CompletableFuture<Arrival> arrival = accept(security);
    try (SocketChannel slow = connect()) {
      slow.write(ByteBuffer.wrap(new byte[] {(byte) (kind == Kind.PLAIN ? 'G' : 22)}));
      refuses(arrival, "it did not prove who it is within 0.1 s");
      assertThat(slow.read(ByteBuffer.allocate(1))).isNegative();
    }
    try (SocketChannel silent = connect()) {
      assertThatThrownBy(() -> security.open(silent, GREETING))
          .hasMessage("worker 2 did not prove who it is within 0.1 s");
    }
  }

  @Test
  void aReasonFromAStrangerIsHarmlessToATerminal() throws Exception {
    CompletableFuture<Arrival> arrival = accept(LinkSecurity.loopback(secret));
    try (SocketChannel socket = connect()) {
      ByteBuffer opening = ByteBuffer.allocate(Hello.OPENING_BYTES + 3 + 8);
      opening
          .order(java.nio.ByteOrder.LITTLE_ENDIAN)
          .putInt(Hello.MAGIC)
          .put((byte) 1)
          .put((byte) 2);
      opening.position(Hello.OPENING_BYTES);
      opening
          .put((byte) 1)
          .putShort((short) 60_000)
          .put(new byte[] {27, '[', '2', 'J', '\n', 'h', 'i', 7});
      socket.write(opening.flip());
      socket.shutdownOutput();
      refuses(arrival, "it left before it had proved who it is");
    }
    arrival = accept(LinkSecurity.loopback(secret));
    try (SocketChannel socket = connect()) {
      ByteBuffer opening = ByteBuffer.allocate(Hello.OPENING_BYTES + 3 + 8);
      opening
          .order(java.nio.ByteOrder.LITTLE_ENDIAN)
          .putInt(Hello.MAGIC)
          .put((byte) 1)
          .put((byte) 2);
      opening.position(Hello.OPENING_BYTES);
      opening
          .put((byte) 1)
          .putShort((short) 8)
          .put(new byte[] {27, '[', '2', 'J', '\n', 'h', 'i', 7});
      socket.write(opening.flip());
      refuses(arrival, "whoever says that it is worker 0 refuses: \\?\\[2J\\?hi\\?");
    }
  }

  @Test
  void tlsIsLeftOutBetweenMachinesOnlyByThoseWhoSaySo() throws Exception {
    InetAddress elsewhere = InetAddress.getByName("192.0.2.7");
    InetAddress here = InetAddress.getLoopbackAddress();
    assertThat(TlsPolicy.AUTO.encrypts(here, false)).isFalse();
    assertThat(TlsPolicy.AUTO.encrypts(elsewhere, false)).isTrue();
    assertThat(TlsPolicy.AUTO.encrypts(elsewhere, true)).isTrue();
    assertThat(TlsPolicy.ALWAYS.encrypts(here, false)).isTrue();
    assertThat(TlsPolicy.NEVER.encrypts(here, false)).isFalse();
    assertThat(TlsPolicy.NEVER.encrypts(elsewhere, true)).isFalse();
    assertThatThrownBy(() -> TlsPolicy.NEVER.encrypts(elsewhere, false))
        .isInstanceOf(RefusedException.class)
        .hasMessage(
            "192.0.2.7 is not on this machine, and --tls never would send models there"
                + " unprotected; leave it out, or say --insecure too");
  }

  @Test
  void theSuiteIsFixed() throws Exception {
    try (Pair pair = pair(tls(secret, ONE), tls(secret, TWO))) {
      X509Certificate seen = pair.opener().peerCertificate().orElseThrow();
      assertThat(seen).isEqualTo(TWO.certificate());
      assertThat(((TlsChannel) pair.opener()).cipherSuite())
          .isEqualTo("TLSv1.3 TLS_AES_128_GCM_SHA256");
    }
  }
}
