package dev.grapevine.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.grapevine.UserException;
import dev.grapevine.network.Inbox;
import dev.grapevine.runtime.Company;
import dev.grapevine.runtime.Outcome;
import dev.grapevine.runtime.report.ModelSum;
import dev.grapevine.security.LinkSecurity;
import dev.grapevine.security.RunSecret;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Workers without nodes join, hear who is there, and go. */
final class WorkersJoinTest {

  private static final Joining.Papers PAPERS =
      new Joining.Papers("1.0", new int[] {0}, "experiment", "data", "here");

  private final RunSecret secret = RunSecret.random();
  private final Coordinator coordinator =
      new Coordinator(LinkSecurity.loopback(secret), InetAddress.getLoopbackAddress(), 0);
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Notebook notebook = new Notebook();

  @AfterEach
  void close() {
    coordinator.close();
    threads.shutdownNow();
  }

  /** Notes what is gathered. */
  private static final class Notebook implements Gathering {
    private final LinkedBlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final CountDownLatch begun = new CountDownLatch(1);

    @Override
    public void joined(String worker, int missing) {
      lines.add(worker + " joined, " + missing);
    }

    @Override
    public void begun(List<WorkerPlace> workers) {
      begun.countDown();
    }

    @Override
    public void event(Event event) {}

    @Override
    public void sum(int worker, ModelSum sum, long now) {}

    @Override
    public void line(String worker, boolean isWarning, String text) {
      lines.add(text);
    }

    @Override
    public void file(int worker, String name, boolean isLast, byte[] bytes) {}

    @Override
    public void lost(int worker, String reason, long when) {
      lines.add(reason);
    }

    @Override
    public String whereabouts(int worker) {
      return "somewhere";
    }

    @Override
    public Company.@Nullable Verdict verdict() {
      return null;
    }
  }

  private Terms terms(int workers, boolean drops) {
    return new Terms(
        "1.0",
        "experiment",
        "data",
        Placement.blocks(workers, workers, workers),
        "run",
        false,
        drops,
        Patience.USUAL);
  }

  private WorkerSession join(int rank, int world, RunSecret with, Joining.Papers papers)
      throws InterruptedException {
    return new Joining(
            new Rank(rank, world),
            LinkSecurity.loopback(with),
            Optional.empty(),
            new Joining.Manner(Optional.empty(), 0, 1, 1 << 20, Patience.USUAL))
        .join(new Rendezvous.At("127.0.0.1", coordinator.port()), papers);
  }

  private static Joining.Papers of(int rank) {
    return new Joining.Papers("1.0", new int[] {rank}, "experiment", "data", "here");
  }

  private Future<Coordinator.Result> coordinate(int workers, boolean drops) {
    return threads.submit(() -> coordinator.run(terms(workers, drops), notebook));
  }

  /** A worker that begins and waits for the end. */
  private Future<WorkerSession> worker(int rank, int world) {
    return threads.submit(() -> {
      WorkerSession session = join(rank, world, secret, of(rank));
      session.open(new Deaf());
      session.begin(() -> new Company.Standing(new long[world], new long[world], false, ""));
      return session;
    });
  }

  /** Takes nothing. */
  private static final class Deaf implements Inbox {
    @Override
    public void deliver(int receiver, dev.grapevine.message.Message message) {}

    @Override
    public boolean offer(int receiver, dev.grapevine.message.Message message) {
      return true;
    }

    @Override
    public void gone(int receiver, int peer) {}

    @Override
    public void refused(int receiver, int peer, String reason) {}
  }

  private static Company.Verdict awaitVerdict(WorkerSession session) throws InterruptedException {
    Company.Verdict verdict = session.verdict();
    while (verdict == null) {
      Thread.sleep(10);
      verdict = session.verdict();
    }
    return verdict;
  }

  /** All at the same time: the coordinator lets them go together. */
  private void sayBye(List<WorkerSession> sessions) throws Exception {
    List<Future<?>> byes = new ArrayList<>();
    for (WorkerSession session : sessions) {
      byes.add(
          threads.submit(() -> {
            session.bye(1, Duration.ofMinutes(1));
            return null;
          }));
    }
    for (Future<?> bye : byes) {
      bye.get();
    }
  }

  private void refused(Joining.Papers papers, String why) throws Exception {
    Future<Coordinator.Result> result = coordinate(1, false);
    assertThatThrownBy(() -> join(0, 1, secret, papers))
        .isInstanceOf(UserException.class)
        .hasMessageContaining("worker 0 on here is refused: ")
        .hasMessageContaining(why);
    // The right one still gets in.
    try (WorkerSession session = worker(0, 1).get()) {
      session.nodesEnded();
      session.bye(1, Duration.ofMinutes(1));
      assertThat(session.exitCode()).isZero();
    }
    assertThat(result.get().verdict().ending()).isEqualTo(Outcome.Ending.DONE);
  }

  @Test
  void anotherExperimentIsRefused() throws Exception {
    refused(
        new Joining.Papers("1.0", new int[] {0}, "other", "data", "here"),
        "its experiment differs from that of the run");
  }

  @Test
  void otherDataAreRefused() throws Exception {
    refused(
        new Joining.Papers("1.0", new int[] {0}, "experiment", "other", "here"),
        "its data differ from those of the run");
  }

  @Test
  void anotherVersionIsRefused() throws Exception {
    refused(
        new Joining.Papers("0.9", new int[] {0}, "experiment", "data", "here"),
        "it is Grapevine 0.9");
  }

  @Test
  void otherNodesAreRefused() throws Exception {
    refused(
        new Joining.Papers("1.0", new int[] {0, 1}, "experiment", "data", "here"),
        "it has built nodes 0-1, but is to have 0");
  }

  @Test
  void oneWhoDoesNotKnowTheSecretIsRefused() {
    Future<Coordinator.Result> result = coordinate(1, false);
    assertThatThrownBy(() -> join(0, 1, RunSecret.random(), PAPERS))
        .isInstanceOf(UserException.class)
        .hasMessageContaining("worker 0 cannot join at 127.0.0.1:");
    assertThat(result).isNotDone();
  }

  @Test
  void strangersDisturbNobody() throws Exception {
    List<SocketChannel> strangers = new ArrayList<>();
    SplittableRandom random = new SplittableRandom(3);
    Future<Coordinator.Result> result = coordinate(2, false);
    InetAddress loopback = InetAddress.getLoopbackAddress();
    for (int i = 0; i < 600; i++) {
      SocketChannel stranger =
          SocketChannel.open(new java.net.InetSocketAddress(loopback, coordinator.port()));
      strangers.add(stranger);
      if (i % 3 == 0) {
        byte[] garbage = new byte[1 + random.nextInt(100)];
        random.nextBytes(garbage);
        stranger.write(ByteBuffer.wrap(garbage));
      }
    }
    Future<WorkerSession> zero = worker(0, 2);
    Future<WorkerSession> one = worker(1, 2);
    for (Future<WorkerSession> worker : List.of(zero, one)) {
      worker.get().nodesEnded();
    }
    sayBye(List.of(zero.get(), one.get()));
    assertThat(result.get().exitCode()).isZero();
    for (SocketChannel stranger : strangers) {
      stranger.close();
    }
  }

  @Test
  void aWorkerThatIsGoneEndsTheRunForAll() throws Exception {
    Future<Coordinator.Result> result = coordinate(3, false);
    List<Future<WorkerSession>> workers = List.of(worker(0, 3), worker(1, 3), worker(2, 3));
    for (Future<WorkerSession> worker : workers) {
      worker.get();
    }
    workers.get(1).get().close();
    List<WorkerSession> left = List.of(workers.get(0).get(), workers.get(2).get());
    for (WorkerSession session : left) {
      Company.Verdict verdict = awaitVerdict(session);
      assertThat(verdict.reason()).contains("worker 1 on here (somewhere) was lost: ");
      assertThat(session.exitCode()).isEqualTo(ExitCode.TRY_AGAIN);
    }
    sayBye(left);
    assertThat(result.get().exitCode()).isEqualTo(ExitCode.TRY_AGAIN);
  }

  @Test
  void theRunGoesOnWithoutAWorkerWhereItMay() throws Exception {
    Future<Coordinator.Result> result = coordinate(2, true);
    Future<WorkerSession> first = worker(0, 2);
    Future<WorkerSession> second = worker(1, 2);
    WorkerSession zero = first.get();
    second.get().close();
    String line = notebook.lines.take();
    while (!line.contains("worker 1 on here (somewhere) was lost")) {
      line = notebook.lines.take();
    }
    zero.nodesEnded();
    zero.bye(1, Duration.ofMinutes(1));
    assertThat(result.get().exitCode()).isZero();
  }

  @Test
  void workersWhoAllWaitForEachOtherAreStalled() throws Exception {
    Future<Coordinator.Result> result = coordinate(2, false);
    List<Future<WorkerSession>> workers = new ArrayList<>();
    for (int rank = 0; rank < 2; rank++) {
      int own = rank;
      workers.add(
          threads.submit(() -> {
            WorkerSession session = join(own, 2, secret, of(own));
            session.open(new Deaf());
            session.begin(() ->
                new Company.Standing(
                    new long[] {own, 1 - own},
                    new long[] {own, 1 - own},
                    true,
                    "the run is stalled:\n  node %d waits".formatted(own)));
            return session;
          }));
    }
    List<WorkerSession> sessions = List.of(workers.get(0).get(), workers.get(1).get());
    for (WorkerSession session : sessions) {
      assertThat(awaitVerdict(session).ending()).isEqualTo(Outcome.Ending.STALLED);
    }
    sayBye(sessions);
    assertThat(result.get().verdict().ending()).isEqualTo(Outcome.Ending.STALLED);
    assertThat(result.get().verdict().reason()).contains("node 0 waits").contains("node 1 waits");
  }

  @Test
  void aMissingWorkerIsNamed() throws Exception {
    Patience little = Patience.USUAL.withJoin(Duration.ofMillis(200));
    Terms terms =
        new Terms(
            "1.0", "experiment", "data", Placement.blocks(4, 4, 2), "run", false, false, little);
    CompletableFuture<Coordinator.Result> result =
        CompletableFuture.supplyAsync(() -> coordinator.run(terms, notebook), threads);
    assertThat(result.get().exitCode()).isEqualTo(ExitCode.TRY_AGAIN);
    assertThat(result.get().verdict().reason())
        .contains("worker 0 (nodes 0-1), worker 1 (nodes 2-3)");
  }
}
