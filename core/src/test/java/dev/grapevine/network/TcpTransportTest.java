package dev.grapevine.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.grapevine.message.Message;
import dev.grapevine.message.Payload;
import dev.grapevine.security.Descriptors;
import dev.grapevine.security.Greeting;
import dev.grapevine.security.Greeting.Purpose;
import dev.grapevine.security.LinkChannel;
import dev.grapevine.security.LinkSecurity;
import dev.grapevine.security.RunSecret;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class TcpTransportTest {

  private static final int NODES = 40;
  private static final int LIMIT = 1 << 20;
  private static final LinkSecurity SECURITY = LinkSecurity.loopback(RunSecret.random());

  private record Delivery(int receiver, Message message) {}

  private static final class Collector implements Inbox {

    final BlockingQueue<Delivery> delivered = new LinkedBlockingQueue<>();
    final BlockingQueue<String> refused = new LinkedBlockingQueue<>();
    final BlockingQueue<String> gone = new LinkedBlockingQueue<>();
    volatile @Nullable CountDownLatch gate;

    @Override
    public void deliver(int receiver, Message message) throws InterruptedException {
      CountDownLatch latch = gate;
      if (latch != null) {
        latch.await();
      }
      delivered.add(new Delivery(receiver, message));
    }

    @Override
    public boolean offer(int receiver, Message message) {
      throw new UnsupportedOperationException("links of single nodes wait for room");
    }

    @Override
    public void gone(int receiver, int peer) {
      gone.add(peer + " to " + receiver);
    }

    @Override
    public void refused(int receiver, int peer, String reason) {
      refused.add(reason);
    }

    Delivery take() throws InterruptedException {
      Delivery delivery = delivered.poll(60, TimeUnit.SECONDS);
      assertThat(delivery).isNotNull();
      return delivery;
    }
  }

  private static Message message(int sender, int round, byte[] bytes) {
    return new Message(sender, 3, round, Payload.of(bytes, bytes.length, bytes.length / 2));
  }

  private static byte[] random(long seed, int length) {
    byte[] bytes = new byte[length];
    new SplittableRandom(seed).nextBytes(bytes);
    return bytes;
  }

  private static byte[] bytes(Payload payload) {
    byte[] bytes = new byte[payload.size()];
    payload.buffer().get(bytes);
    return bytes;
  }

  @Test
  void messagesOfAnySizeArriveWholeAndInOrder() throws Exception {
    Collector collector = new Collector();
    try (TcpTransport transport = new TcpTransport(collector, NODES, LIMIT, 100)) {
      int[] sizes = {0, 1, 23, 24, 25, 1000, 131_071, 131_072, 131_073, LIMIT};
      for (int i = 0; i < sizes.length; i++) {
        transport.send(1, message(0, i, random(i, sizes[i])));
      }
      for (int i = 0; i < sizes.length; i++) {
        Delivery delivery = collector.take();
        assertThat(delivery.receiver()).isEqualTo(1);
        assertThat(delivery.message().sender()).isZero();
        assertThat(delivery.message().tag()).isEqualTo(3);
        assertThat(delivery.message().round()).isEqualTo(i);
        assertThat(delivery.message().payload().metadataSize()).isEqualTo(sizes[i] / 2);
        assertThat(bytes(delivery.message().payload())).isEqualTo(random(i, sizes[i]));
      }
    }
  }

  @Test
  void aPairSharesOneConnection() throws Exception {
    Collector collector = new Collector();
    try (TcpTransport transport = new TcpTransport(collector, NODES, LIMIT, 100)) {
      for (int round = 0; round < 10; round++) {
        transport.send(1, message(0, round, new byte[10]));
        transport.send(0, message(1, round, new byte[10]));
        collector.take();
        collector.take();
      }
      assertThat(transport.openEnds()).isEqualTo(2);
    }
  }

  /** A pair whose first messages cross: none may overtake the handshake. */
  @Test
  void bothEndsMaySpeakAtOnce() throws Exception {
    for (int attempt = 0; attempt < 20; attempt++) {
      Collector collector = new Collector();
      try (TcpTransport transport = new TcpTransport(collector, NODES, LIMIT, 1000)) {
        for (int node = 0; node < NODES; node++) {
          int sender = node;
          Thread.ofVirtual()
              .start(() -> {
                for (int peer = 0; peer < NODES; peer++) {
                  try {
                    if (peer != sender) {
                      transport.send(peer, message(sender, 0, new byte[1]));
                    }
                  } catch (IOException | InterruptedException e) {
                    collector.refused.add(String.valueOf(e));
                  }
                }
              });
        }
        for (int i = 0; i < NODES * (NODES - 1); i++) {
          collector.take();
        }
        assertThat(collector.refused).isEmpty();
      }
    }
  }

  @Test
  void unusedLinksAreClosedAndNothingIsLost() throws Exception {
    Collector collector = new Collector();
    try (TcpTransport transport = new TcpTransport(collector, NODES, LIMIT, 10)) {
      SplittableRandom random = new SplittableRandom(1);
      int sent = 600;
      for (int i = 0; i < sent; i++) {
        int sender = random.nextInt(NODES);
        int receiver = (sender + 1 + random.nextInt(NODES - 1)) % NODES;
        transport.send(receiver, message(sender, i, new byte[100]));
        assertThat(transport.openEnds()).isLessThanOrEqualTo(2 * 10);
      }
      boolean[] seen = new boolean[sent];
      for (int i = 0; i < sent; i++) {
        seen[collector.take().message().round()] = true;
      }
      assertThat(seen).doesNotContain(false);
    }
  }

  @Test
  void aSlowReceiverSlowsItsSenderDown() throws Exception {
    Collector collector = new Collector();
    CountDownLatch gate = new CountDownLatch(1);
    collector.gate = gate;
    try (TcpTransport transport = new TcpTransport(collector, NODES, LIMIT, 10)) {
      int messages = 60;
      AtomicInteger sent = new AtomicInteger();
      Thread sender =
          Thread.ofVirtual()
              .start(() -> {
                try {
                  for (int i = 0; i < messages; i++) {
                    transport.send(1, message(0, i, new byte[LIMIT]));
                    sent.incrementAndGet();
                  }
                } catch (IOException | InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              });
      // Sockets hold some megabytes, never all sixty: the sender is stuck until the gate opens.
      while (sender.isAlive() && !isParkedInWriting(sender)) {
        Thread.onSpinWait();
      }
      assertThat(sent.get()).isLessThan(messages);
      gate.countDown();
      for (int i = 0; i < messages; i++) {
        assertThat(collector.take().message().round()).isEqualTo(i);
      }
      sender.join();
    }
  }

  private static boolean isParkedInWriting(Thread thread) {
    return thread.getState() == Thread.State.WAITING
        && Arrays.stream(thread.getStackTrace())
            .anyMatch(frame -> frame.getMethodName().equals("write"));
  }

  /** Also those that the node has never had a link with: they may wait for its first word. */
  @Test
  void goodbyesReachEveryNode() throws Exception {
    Collector collector = new Collector();
    try (TcpTransport transport = new TcpTransport(collector, NODES, LIMIT, 10)) {
      transport.send(1, message(0, 0, new byte[10]));
      collector.take();
      transport.sayGoodbye(0);
      Set<String> heard = new HashSet<>();
      while (heard.size() < NODES - 1) {
        heard.add(collector.gone.poll(60, TimeUnit.SECONDS));
      }
      assertThat(heard).contains("0 to 1", "0 to 39").doesNotContain("0 to 0").doesNotContainNull();
    }
  }

  /** What an attacker does who knows the secret. */
  private static LinkChannel greet(TcpTransport transport, int from, int to) throws IOException {
    return SECURITY.open(
        SocketChannel.open(transport.address()), new Greeting(Purpose.NODES, from, to));
  }

  @Test
  void aConnectionThatBreaksOffIsReportedWithItsKind() throws Exception {
    Collector collector = new Collector();
    try (TcpTransport transport = new TcpTransport(collector, NODES, LIMIT, 10, SECURITY)) {
      try (LinkChannel channel = greet(transport, 5, 6)) {
        ByteBuffer half = ByteBuffer.allocate(FrameHeader.BYTES + 10);
        new FrameHeader(FrameKind.MESSAGE, 6, 0, 0, 5, 1, 50, 0).write(half);
        channel.write(half.clear());
      }
      assertThat(collector.refused.poll(60, TimeUnit.SECONDS))
          .isEqualTo("connection lost: EOFException: the stream ends inside a payload");
    }
  }

  @Test
  void closingIsNoLostConnection() throws Exception {
    Collector collector = new Collector();
    TcpTransport transport = new TcpTransport(collector, NODES, LIMIT, 10, SECURITY);
    // Connections are accepted in order: once the second is let in, the silent one was seen, too.
    try (SocketChannel silent = SocketChannel.open(transport.address());
        LinkChannel known = greet(transport, 5, 6)) {
      assertThat(known.isOpen()).isTrue();
      transport.close();
      assertThat(silent.read(ByteBuffer.allocate(1))).isNegative();
    }
    assertThat(collector.refused).isEmpty();
  }

  /** Streams of mutated frames: each connection is closed, the transport lives on. */
  @Test
  void malformedStreamsCloseTheirLinkAndNothingElse() throws Exception {
    Collector collector = new Collector();
    try (TcpTransport transport = new TcpTransport(collector, NODES, 1000, 100, SECURITY)) {
      SplittableRandom random = new SplittableRandom(7);
      for (int attempt = 0; attempt < 200; attempt++) {
        ByteBuffer stream = ByteBuffer.allocate(200);
        new FrameHeader(FrameKind.MESSAGE, 6, 0, 0, 5, 1, 50, 0).write(stream);
        stream.position(stream.position() + 50);
        new FrameHeader(FrameKind.GOODBYE, 5, 0, 0, 5, 0, 0, 0).write(stream);
        stream.flip();
        for (int i = random.nextInt(1, 5); i > 0; i--) {
          stream.put(random.nextInt(stream.limit()), (byte) random.nextInt(256));
        }
        stream.limit(random.nextInt(1, stream.limit() + 1));
        try (LinkChannel channel = greet(transport, 5, 6)) {
          channel.writeFully(stream);
          channel.shutdownOutput();
          ByteBuffer answer = ByteBuffer.allocate(1000);
          while (channel.read(answer) >= 0) {
            answer.clear();
          }
        } catch (IOException reset) {
          assertThat(reset).hasMessageContaining("reset");
        }
      }
      assertThat(collector.refused).isNotEmpty();
      assertThat(collector.delivered)
          .allSatisfy(delivery -> assertThat(delivery.message().payload().size()).isLessThan(1001));
      stillWorks(transport, collector);
    }
  }

  private static void stillWorks(TcpTransport transport, Collector collector) throws Exception {
    collector.delivered.clear();
    transport.send(1, message(0, 9, new byte[] {1, 2, 3}));
    assertThat(bytes(collector.take().message().payload())).containsExactly(1, 2, 3);
  }

  @Test
  void aStrangerCannotSendAModel() throws Exception {
    Collector collector = new Collector();
    try (TcpTransport transport = new TcpTransport(collector, NODES, LIMIT, 10)) {
      assertThatThrownBy(() -> greet(transport, 5, 6))
          .hasMessage("node 6 does not know the secret of this run");
      assertThat(collector.refused.poll(60, TimeUnit.SECONDS)).contains("run secret");
      try (SocketChannel channel = SocketChannel.open(transport.address())) {
        ByteBuffer frame = ByteBuffer.allocate(FrameHeader.BYTES + 50);
        new FrameHeader(FrameKind.MESSAGE, 6, 0, 0, 5, 1, 50, 0).write(frame);
        channel.write(frame.clear());
        assertThat(channel.read(ByteBuffer.allocate(1))).isNegative();
      }
      assertThat(collector.refused.poll(60, TimeUnit.SECONDS)).startsWith("no greeting: magic=");
      assertThat(collector.delivered).isEmpty();
      stillWorks(transport, collector);
    }
  }

  @Test
  void oneOfTheRunMaySpeakForNodesThatThereAreOnly() throws Exception {
    Collector collector = new Collector();
    try (TcpTransport transport = new TcpTransport(collector, NODES, LIMIT, 10, SECURITY)) {
      assertThatThrownBy(() -> greet(transport, NODES, 6))
          .hasMessageContaining("node 6 refuses: there is no such node here");
    }
  }

  /** More idle connections than are borne with: the oldest are closed, the run goes on. */
  @Test
  void manyStrangersUseUpNothing() throws Exception {
    Collector collector = new Collector();
    int borne = Descriptors.here().strangers();
    List<SocketChannel> strangers = new ArrayList<>();
    try (TcpTransport transport = new TcpTransport(collector, NODES, LIMIT, 10, SECURITY)) {
      for (int i = 0; i < 2 * borne; i++) {
        strangers.add(SocketChannel.open(transport.address()));
      }
      stillWorks(transport, collector);
      for (int i = 0; i < borne; i++) {
        assertThat(strangers.get(i).read(ByteBuffer.allocate(1))).isNegative();
      }
      assertThat(collector.refused).isEmpty();
    } finally {
      for (SocketChannel stranger : strangers) {
        stranger.close();
      }
    }
  }
}
