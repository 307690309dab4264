package dev.grapevine.network;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.message.Message;
import dev.grapevine.message.Payload;
import dev.grapevine.security.Arrival;
import dev.grapevine.security.Greeting;
import dev.grapevine.security.LinkChannel;
import dev.grapevine.security.LinkSecurity;
import dev.grapevine.security.RunSecret;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Nodes 0 and 1 live in worker 0, nodes 2 and 3 in worker 1. */
final class ProcessLinksTest {

  private static final int[] WORKER_OF = {0, 0, 1, 1};
  private static final int LIMIT = 1 << 20;

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<LinkChannel> ends = new ArrayList<>();
  private final LinkedBlockingQueue<String> lost = new LinkedBlockingQueue<>();

  @BeforeEach
  void connect() throws Exception {
    LinkSecurity security = LinkSecurity.loopback(RunSecret.random());
    try (ServerSocketChannel server = ServerSocketChannel.open()) {
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      Future<LinkChannel> opened =
          threads.submit(() ->
              security.open(
                  SocketChannel.open(server.getLocalAddress()),
                  new Greeting(Greeting.Purpose.WORKERS, 0, 1)));
      Arrival arrival = security.receive(server.accept());
      arrival.welcome();
      ends.add(opened.get());
      ends.add(arrival.channel());
    }
  }

  @AfterEach
  void end() {
    threads.shutdownNow();
  }

  /** A worker's nodes; those below {@code roomyFrom} take nothing until they are let. */
  private static final class Nodes implements Inbox {
    private final LinkedBlockingQueue<String> heard = new LinkedBlockingQueue<>();
    private final CountDownLatch room = new CountDownLatch(1);
    private final int roomyFrom;

    Nodes(int roomyFrom) {
      this.roomyFrom = roomyFrom;
    }

    @Override
    public void deliver(int receiver, Message message) throws InterruptedException {
      if (receiver < roomyFrom) {
        room.await();
      }
      heard.add("%d from %d: %d".formatted(receiver, message.sender(), message.round()));
    }

    @Override
    public boolean offer(int receiver, Message message) {
      if (receiver < roomyFrom && room.getCount() > 0) {
        return false;
      }
      heard.add("%d from %d: %d".formatted(receiver, message.sender(), message.round()));
      return true;
    }

    @Override
    public void gone(int receiver, int peer) {
      heard.add("%d hears goodbye of %d".formatted(receiver, peer));
    }

    @Override
    public void refused(int receiver, int peer, String reason) {}

    String next() throws InterruptedException {
      String next = heard.poll(1, TimeUnit.MINUTES);
      return next == null ? "nothing" : next;
    }
  }

  private ProcessLinks links(int own, Inbox inbox) {
    return new ProcessLinks(
        inbox,
        own,
        WORKER_OF,
        Map.of(1 - own, ends.get(own)),
        LIMIT,
        (worker, reason, isExplained) -> lost.add(worker + ": " + reason));
  }

  private static Message message(int sender, int round, int bytes) {
    return new Message(sender, 0, round, Payload.of(new byte[bytes]));
  }

  @Test
  void aFullMailboxHoldsUpItsOwnSendersOnly() throws Exception {
    Nodes here = new Nodes(0);
    Nodes there = new Nodes(3);
    int many = 3000;
    byte[] large = new byte[64 << 10];
    try (ProcessLinks zero = links(0, here);
        ProcessLinks one = links(1, there)) {
      Future<?> sending =
          threads.submit(() -> {
            for (int i = 0; i < many; i++) {
              // Each another payload, or it would cross but once.
              zero.send(2, new Message(0, 0, i, Payload.of(large)));
            }
            zero.sayGoodbye(0);
            return null;
          });
      // Node 2 takes nothing, yet node 3 of the same worker is reached over the same link.
      zero.send(3, message(1, 7, 10));
      assertThat(there.next()).isEqualTo("3 from 1: 7");
      one.send(1, message(3, 8, 10));
      assertThat(here.next()).isEqualTo("1 from 3: 8");
      // That much fits nowhere on the way, and it is not kept here either.
      assertThat(sending).isNotDone();

      there.room.countDown();
      List<String> heard = new ArrayList<>();
      while (heard.size() < many + 1) {
        String next = there.next();
        if (!next.startsWith("3 ")) {
          heard.add(next);
        }
      }
      for (int i = 0; i < many; i++) {
        assertThat(heard.get(i)).isEqualTo("2 from 0: " + i);
      }
      assertThat(heard.getLast()).isEqualTo("2 hears goodbye of 0");
      sending.get();
    }
  }

  @Test
  void aFrameOfAnothersNodeClosesTheLink() throws Exception {
    Nodes there = new Nodes(0);
    try (ProcessLinks one = links(1, there)) {
      FrameChannel forged =
          new FrameChannel(ends.getFirst(), WORKER_OF.length, LIMIT, FrameChannel.Several.NEITHER);
      forged.write(2, message(3, 0, 10));
      assertThat(lost.poll(1, TimeUnit.MINUTES))
          .isEqualTo("0: a frame of someone else: node=3, worker=0");
      assertThat(there.heard).isEmpty();
    }
  }

  /** A worker that is killed while it writes: what came of the message is no message. */
  @Test
  void aFrameThatBreaksOffIsNotDelivered() throws Exception {
    Nodes there = new Nodes(0);
    try (ProcessLinks one = links(1, there)) {
      ByteBuffer header = ByteBuffer.allocate(FrameHeader.BYTES);
      new FrameHeader(FrameKind.MESSAGE, 2, 0, 0, 0, 5, 1000, 0).write(header);
      ends.getFirst().writeFully(header.flip());
      ends.getFirst().writeFully(ByteBuffer.allocate(500));
      ends.getFirst().close();
      assertThat(lost.poll(1, TimeUnit.MINUTES)).isEqualTo("0: the stream ends inside a payload");
      assertThat(there.heard).isEmpty();
    }
  }

  /** One model for both nodes of a worker is written once; another sender's is another. */
  @Test
  void aPayloadForTwoNodesOfAWorkerCrossesOnce() throws Exception {
    FrameChannel raw =
        new FrameChannel(
            ends.get(1), WORKER_OF.length, LIMIT, new FrameChannel.Several(true, true));
    Payload model = Payload.of(new byte[] {1, 2, 3}, 3, 1);
    try (ProcessLinks zero = links(0, new Nodes(0))) {
      zero.send(2, new Message(0, 0, 5, model));
      zero.send(3, new Message(0, 9, 5, model));
      zero.send(3, new Message(1, 0, 5, Payload.of(new byte[] {1, 2, 3}, 3, 1)));
      FrameHeader first = raw.readHeader();
      Message sent = raw.readMessage(first);
      FrameHeader second = raw.readHeader();
      Message again = raw.readMessage(second);
      FrameHeader third = raw.readHeader();
      assertThat(List.of(first.kind(), second.kind(), third.kind()))
          .containsExactly(FrameKind.MESSAGE, FrameKind.SAME, FrameKind.MESSAGE);
      assertThat(second.receiver()).isEqualTo(3);
      assertThat(again.tag()).isEqualTo(9);
      assertThat(again.payload()).isSameAs(sent.payload());
      assertThat(again.payload().metadataSize()).isEqualTo(1);
    }
  }

  @Test
  void whatWasNotSentBeforeCannotBeTheSame() throws Exception {
    try (ProcessLinks one = links(1, new Nodes(0))) {
      ByteBuffer header = ByteBuffer.allocate(FrameHeader.BYTES);
      new FrameHeader(FrameKind.SAME, 2, 0, 0, 0, 5, 1000, 0).write(header);
      ends.getFirst().writeFully(header.flip());
      assertThat(lost.poll(1, TimeUnit.MINUTES))
          .isEqualTo("0: not the payload of the message before: length=1000, metadata=0");
    }
  }

  @Test
  void theNodesOfAWorkerThatIsGoneSayGoodbye() throws Exception {
    Nodes here = new Nodes(0);
    try (ProcessLinks zero = links(0, here)) {
      zero.gone(1);
      List<String> heard = List.of(here.next(), here.next(), here.next(), here.next());
      assertThat(heard)
          .containsExactlyInAnyOrder(
              "0 hears goodbye of 2",
              "1 hears goodbye of 2",
              "0 hears goodbye of 3",
              "1 hears goodbye of 3");
      assertThat(lost).isEmpty();
    }
  }
}
